"""Numbers with units, as the contract language writes them, read exactly.

Time is a `Fraction` of seconds, a rate a `Fraction` of messages per second, so
that no figure of the oracle depends on the order in which it was added up.
"""

import math
import re
from fractions import Fraction

SECONDS = {"ms": Fraction(1, 1000), "s": 1, "m": 60, "h": 3600, "d": 86400}
PER = {"s": 1, "min": 60, "h": 3600, "d": 86400}
PART = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")


def duration(text):
    """`1h30m`, `250ms`, `1.5s` as exact seconds; None stays unknown."""
    if text is None:
        return None
    if not re.fullmatch("(?:%s)+" % PART.pattern, text):
        raise ValueError("%r is not a duration such as 1h30m" % text)
    return sum((Fraction(n) * SECONDS[unit] for n, unit in PART.findall(text)), Fraction(0))


def rate(text):
    """`3000/min` as exact messages per second; None stays unknown."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d+(?:\.\d+)?)/(s|min|h|d)", text)
    if not match:
        raise ValueError("%r is not a rate such as 50/s" % text)
    return Fraction(match.group(1)) / PER[match.group(2)]


def percent(text):
    """`12.5%` as the exact ratio 1/8."""
    if not re.fullmatch(r"\d+(?:\.\d+)?%", text):
        raise ValueError("%r is not a ratio such as 50%%" % text)
    return Fraction(text[:-1]) / 100


# The four ways in which a quantity is shown. None is unknown and stays so.


def nearest(value):
    """A count, rounded half up."""
    return None if value is None else math.floor(value + Fraction(1, 2))


def millis(value):
    """A duration to the nearest millisecond, half up."""
    return None if value is None else nearest(value * 1000)


def needs(value):
    """Something that must be outlived: up to the whole second, in milliseconds."""
    return None if value is None else math.ceil(value) * 1000


def slack(value):
    """What is left over: down to the whole second, in milliseconds."""
    return None if value is None else math.floor(value) * 1000


def number(value):
    """A ratio or rate as JSON writes it."""
    return None if value is None else float(value)
