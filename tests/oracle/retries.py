"""Waits between deliveries: one retrying class, and all of them as one counter."""

from fractions import Fraction

from units import duration, percent

STANDARD = {
    "transient": {
        "action": "retry",
        "max_retries": 6,
        "backoff": {"initial": "1s", "factor": 2, "cap": "5m", "jitter": "50%"},
    },
    "unknown": {
        "action": "retry",
        "max_retries": 3,
        "backoff": {"initial": "1s", "factor": 2, "cap": "5m", "jitter": "50%"},
    },
}


class Waits:
    """The waits of one backoff: `n` of them, each between `lo(i)` and `hi(i)`, i from 1."""

    def __init__(self, spec, max_retries, lock_expiry=None):
        self.known = True
        self.initial = self.factor = None
        self.steps = None
        self.jitter = "none"
        if spec == "lock-expiry":
            self.known = lock_expiry is not None
            self.n, self.steps = max_retries, [lock_expiry] * max_retries
        elif spec is None:
            self.n, self.steps = max_retries, [Fraction(0)] * max_retries
        elif "steps" in spec:
            self.steps = [duration(step) for step in spec["steps"]]
            self.n, self.jitter = len(self.steps), spec.get("jitter", "none")
        else:
            self.n, self.jitter = max_retries, spec.get("jitter", "none")
            self.initial = duration(spec["initial"])
            self.factor = Fraction(spec.get("factor", 2))
        if not self.known or self.n == 0:
            self.cap = Fraction(0)
        elif self.steps is not None:
            self.cap = max(self.steps)
        elif "cap" in spec:
            self.cap = duration(spec["cap"])
        else:
            self.cap = self.initial * self.factor ** (self.n - 1)

    def d(self, i):
        """The wait before redelivery i, before jitter."""
        if self.steps is not None:
            return self.steps[i - 1]
        return min(self.cap, self.initial * self.factor ** (i - 1))

    def hi(self, i):
        if self.jitter == "decorrelated":
            return min(self.cap, self.initial * 3**i)
        return self.d(i) * self.j()

    def lo(self, i):
        if self.jitter == "decorrelated":
            return self.initial
        if self.jitter in ("none", "full", "equal"):
            return self.d(i) * {"none": Fraction(1), "full": Fraction(0), "equal": Fraction(1, 2)}[self.jitter]
        return self.d(i) * (1 - percent(self.jitter))

    def j(self):
        """The jitter's largest factor."""
        if self.jitter in ("none", "full", "equal", "decorrelated"):
            return Fraction(1)
        return 1 + percent(self.jitter)

    def each(self):
        return [(self.lo(i), self.hi(i)) for i in range(1, self.n + 1)] if self.known else None

    def total(self):
        """Least and longest sum of all waits."""
        if not self.known:
            return None
        return tuple(sum(column, Fraction(0)) for column in zip((0, 0), *self.each()))


def declared(contract):
    """The failure classes that the contract declares, by name."""
    failures = contract.get("failures") or {}
    return STANDARD if failures == "standard" else failures


def retrying(contract, lock_expiry):
    """The waits of every class that is redelivered, by name. At-most-once redelivers nothing."""
    if contract["delivery"]["guarantee"] == "at-most-once":
        return {}
    return {
        name: Waits(rule.get("backoff"), rule.get("max_retries", 0), lock_expiry)
        for name, rule in declared(contract).items()
        if rule.get("action") == "retry"
    }


def in_process(contract, p99):
    """The longest that one delivery's own tries take, and whether any class has such tries."""
    found = [rule["in_process"] for rule in declared(contract).values() if "in_process" in rule]
    if not found:
        return False, p99
    if p99 is None:
        return True, None
    longest = Fraction(0)
    for spec in found:
        waits = Waits(spec.get("backoff"), spec.get("max_retries", 0))
        longest = max(longest, (1 + waits.n) * p99 + waits.total()[1])
    return True, longest


def crash_limit(contract):
    """How often a message comes back after crashes: (is it bounded?, the bound or None if unsaid)."""
    broker = contract.get("broker") or {}
    redelivery = contract.get("redelivery") or {}
    if redelivery == "lost":
        return True, 0
    if redelivery.get("counted") is False:
        return False, None
    if "max_retries" in redelivery:
        return True, redelivery["max_retries"]
    if broker.get("managed", "ackord") == "ackord":
        return True, None
    if "delivery_limit" in broker:
        return True, broker["delivery_limit"]
    if broker["kind"] == "rabbitmq" and broker.get("queue_type") == "quorum" and since_4(broker):
        return True, 20
    return False, None


def since_4(broker):
    return int(broker.get("version", "4").split(".")[0]) >= 4


def most_redeliveries(contract, classes):
    """n*: the bound of the one counter that all classes and crashes share, or None if it has none."""
    if contract["delivery"]["guarantee"] == "at-most-once":
        return 0
    bounded, limit = crash_limit(contract)
    said = [waits.n for waits in classes.values()] + ([] if limit is None else [limit])
    return max(said) if bounded and said else None
