"""Service times and queueing: the only quantities that need floating point."""

import math
from collections import namedtuple

Z95 = 1.6448536269514722
Z99 = 2.3263478740408408

# What the declared figures say about one message's service time. Each part is
# None where the figures do not determine it.
Service = namedtuple("Service", "mean p95 cv2")


def service(mean=None, p50=None, p95=None, p99=None):
    """The lognormal through the declared figures, a declared p95 kept as it is."""
    sigma = sigma_of(mean, p50, p99)
    if mean is None and p50 is not None and sigma is not None:
        mean = p50 if sigma == 0 else float(p50) * math.exp(sigma**2 / 2)
    if p95 is None and sigma is not None:
        p95 = p99 if sigma == 0 else float(p99) * math.exp((Z95 - Z99) * sigma)
    cv2 = None if sigma is None else math.exp(sigma**2) - 1
    return Service(mean, p95, cv2)


def sigma_of(mean, p50, p99):
    """Sigma of the lognormal with this p99 and this mean or median, or None where none fits."""
    if p99 is None or (mean is None and p50 is None):
        return None
    if mean is None:
        sigma = math.log(p99 / p50) / Z99
    else:
        # ln(p99 / mean) = z99 sigma - sigma^2 / 2, of which the smaller root is meant.
        discriminant = Z99**2 - 2 * math.log(p99 / mean)
        if discriminant < 0:
            return None
        sigma = Z99 - math.sqrt(discriminant)
    return sigma if sigma >= 0 else None


def erlang_c(servers, offered):
    """The probability that a message finds every one of the servers busy (M/M/c)."""
    blocked = 1.0
    for k in range(1, servers + 1):
        blocked = offered * blocked / (k + offered * blocked)
    return blocked / (1 - offered / servers * (1 - blocked))


def wait_p95(load, servers, mean, cv2):
    """The 95th percentile of the wait for a free server, or None where the queue grows for ever."""
    if None in (load, servers, mean, cv2) or load * mean >= servers:
        return None
    load, mean = float(load), float(mean)
    waits = erlang_c(servers, load * mean)
    if waits <= 0.05:
        return 0.0
    return math.log(waits / 0.05) / (servers / mean - load) * (1 + cv2) / 2
