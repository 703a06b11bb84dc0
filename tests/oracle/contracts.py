"""Random contracts, the same for the same seed on every machine.

They are valid in the language and varied where a derived quantity looks; they
need not be sensible, since the linter's opinion of them is not under test.
"""

import math
from random import Random

UNITS = (("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000))
JITTERS = ("none", "full", "equal", "decorrelated", "50%", "12.5%", "100%")


class Dice:
    """Choices made from `random()` alone, the one method whose sequence Python promises to keep."""

    def __init__(self, seed):
        self.random = Random(seed).random

    def chance(self, likelihood):
        return self.random() < likelihood

    def whole(self, least, most):
        return least + int(self.random() * (most - least + 1))

    def pick(self, *options):
        return options[self.whole(0, len(options) - 1)]

    def between(self, least, most):
        """Milliseconds, spread evenly over the orders of magnitude, two digits long."""
        raw = math.exp(math.log(least) + self.random() * (math.log(most) - math.log(least)))
        step = 10 ** max(0, int(math.log10(raw)) - 1)
        return max(least, int(raw / step) * step)

    def duration(self, least, most):
        return self.spell(self.between(least, most))

    def spell(self, ms):
        """One of the ways to write a duration: 90s, 1m30s, 1.5m, 90000ms."""
        if self.chance(0.2):
            for unit, size in UNITS:
                if ms >= size and ms * 1000 % size == 0 and ms % size:
                    return "%d.%s%s" % (ms // size, ("%03d" % (ms % size * 1000 // size)).rstrip("0"), unit)
        if self.chance(0.1):
            return "%dms" % ms
        if self.chance(0.3):
            for unit, size in UNITS:
                if ms and ms % size == 0:
                    return "%d%s" % (ms // size, unit)
        parts = ""
        for unit, size in UNITS + (("ms", 1),):
            if ms >= size:
                parts += "%d%s" % (ms // size, unit)
                ms %= size
        return parts or "0s"

    def rate(self, per_second):
        for unit, seconds in (("s", 1), ("min", 60), ("h", 3600)):
            if per_second * seconds >= 1:
                return "%d/%s" % (per_second * seconds, unit)
        return "%d/d" % max(1, per_second * 86400)


def contract(seed, index):
    dice = Dice(seed * 1_000_003 + index)
    lossy = dice.chance(0.12)
    doc = {
        "ackord": "v1",
        "queue": "oracle-%03d" % index,
        "flow": dice.pick("money", "notification", "telemetry", "audit", "task"),
        "delivery": {"guarantee": "at-most-once" if lossy else "at-least-once"},
    }
    if lossy:
        doc["delivery"]["acceptable_loss"] = "0.01%"
    broker = broker_of(dice)
    if broker:
        doc["broker"] = broker
    if dice.chance(0.95):
        doc["processing"] = processing(dice, broker)
    if dice.chance(0.2):
        partitions = {} if "partitions" in broker else {"partitions": dice.whole(4, 48)}
        doc["ordering"] = {"key": "order_id", "by": "partition", **partitions, "on_retry": "block-key"}
    elif dice.chance(0.5):
        doc["ordering"] = "none"
    doc.update(failing(dice, broker))
    doc.update(outliving(dice))
    return doc


def broker_of(dice):
    kind = dice.pick("rabbitmq", "rabbitmq", "sqs", "kafka", "postgres", "redis-streams", None)
    if kind is None:
        return {}
    broker = {"kind": kind}
    managed = dice.pick("ackord", None, "elsewhere", None)
    if managed:
        broker["managed"] = managed
    if kind == "rabbitmq":
        broker["version"] = dice.pick("4.2", "3.13")
        broker["queue_type"] = dice.pick("quorum", "quorum", "classic")
        if managed == "elsewhere" and dice.chance(0.3):
            broker["delivery_limit"] = dice.whole(1, 30)
    if kind == "kafka":
        if dice.chance(0.5):
            broker["partitions"] = dice.whole(1, 48)
        if managed == "elsewhere" and dice.chance(0.4):
            broker["max_poll_interval"] = dice.duration(60_000, 1_800_000)
    return broker


def processing(dice, broker):
    mean = dice.between(5, 20_000)
    p99 = int(mean * dice.pick(1, 2, 3.5, 6, 10, 14.5, 15.5, 40))
    at_exactly_full = dice.chance(0.04)
    consumers, concurrency = dice.whole(1, 8), dice.whole(1, 16)
    if at_exactly_full:
        mean, p99, consumers, concurrency = 500, 2000, 1, 2
    both, median, three = ("mean", "p99"), ("p50", "p99"), ("mean", "p95", "p99")
    figures = dice.pick(both, both, both, both, median, median, three, three, ("p99",), ())
    times = {"mean": mean, "p50": max(1, mean // 2), "p95": (mean + p99) // 2, "p99": p99}
    if at_exactly_full:
        figures = ("mean", "p99")
    spec = {}
    if figures:
        spec["duration"] = {name: dice.spell(times[name]) for name in figures}
    if dice.chance(0.5):
        spec["handler_timeout"] = dice.duration(max(1000, p99), max(60_000, 4 * p99))
    lock = {}
    if dice.chance(0.6) and "max_poll_interval" not in broker:
        lock["timeout"] = dice.duration(1000, 3_600_000)
    if dice.chance(0.3):
        lock["renewed"] = dice.chance(0.9)
        if dice.chance(0.5):
            lock["renew_for"] = dice.duration(1000, 3_600_000)
        if dice.chance(0.6):
            lock["renewed_by"] = dice.pick("own", "handler-thread")
    if lock:
        spec["lock"] = lock
    if at_exactly_full or dice.chance(0.8):
        spec["consumers"] = consumers
    if at_exactly_full or dice.chance(0.8):
        spec["concurrency"] = concurrency
    if dice.chance(0.75):
        spec["prefetch"] = dice.whole(1, 64)
    if dice.chance(0.25):
        spec["batch"] = {"size": dice.whole(1, 100), "on_failure": dice.pick("item", "all", "stop")}
        if dice.chance(0.6):
            spec["batch"]["window"] = dice.duration(10, 10_000)
    workers = spec.get("consumers", 1) * spec.get("concurrency", 1)
    busy = dice.pick(0.02, 0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.3)
    if at_exactly_full:
        spec["load"] = {"steady": "4/s"}
    elif dice.chance(0.85):
        steady = busy * workers * 1000 / mean
        load = {"steady": dice.rate(steady)} if dice.chance(0.85) else {}
        if not load or dice.chance(0.6):
            load["peak"] = dice.rate(steady * dice.pick(1.5, 4, 10))
        spec["load"] = load
    return spec


def failing(dice, broker):
    """How messages come back: `failures` and `redelivery`."""
    parts = {}
    if dice.chance(0.15):
        parts["failures"] = "standard"
    elif dice.chance(0.9):
        parts["failures"] = classes(dice)
    choice = dice.pick("counted", "counted", "counted", "counted", "limitless", "uncounted", "lost", None)
    if choice == "lost":
        parts["redelivery"] = "lost"
    elif choice:
        parts["redelivery"] = {"counted": choice != "uncounted"}
        if choice == "counted" and "delivery_limit" not in broker:
            parts["redelivery"]["max_retries"] = dice.whole(1, 12)
    return parts


def classes(dice):
    failures = {"transient": {"match": ["timeout", "http-503"], **retrying(dice)}}
    if dice.chance(0.8):
        poison = {"match": ["schema-violation"], "action": "dead-letter", "attach": ["payload", "error"]}
        failures["poison"] = poison
    if dice.chance(0.8):
        failures["business"] = {"match": ["card-declined"], "action": "drop", "log": "structured"}
    if dice.chance(0.7):
        failures["unknown"] = retrying(dice)
    if dice.chance(0.3):
        failures["throttled"] = {"match": ["http-429"], **retrying(dice)}
    return failures


def retrying(dice):
    rule = {"action": "retry", "then": "dead-letter"}
    kind = dice.pick("exponential", "exponential", "exponential", "exponential", "steps", "lock-expiry", "none")
    if kind == "steps":
        rule["backoff"] = steps(dice)
    else:
        rule["max_retries"] = dice.whole(1, 8) if dice.chance(0.93) else dice.whole(21, 30)
        if kind == "exponential":
            rule["backoff"] = exponential(dice, 100, 60_000)
        elif kind == "lock-expiry":
            rule["backoff"] = "lock-expiry"
    if dice.chance(0.25):
        tries = {"max_retries": dice.whole(1, 3)}
        if dice.chance(0.8):
            tries["backoff"] = exponential(dice, 10, 2000)
        rule["in_process"] = tries
    return rule


def exponential(dice, least, most):
    initial = dice.between(least, most)
    backoff = {"initial": dice.spell(initial)}
    if dice.chance(0.8):
        backoff["factor"] = dice.pick(1, 1.5, 2, 2, 3)
    if dice.chance(0.75):
        backoff["cap"] = dice.spell(initial * dice.pick(1, 2, 5, 16, 100))
    if dice.chance(0.85):
        backoff["jitter"] = dice.pick(*JITTERS)
    return backoff


def steps(dice):
    backoff = {"steps": [dice.duration(500, 600_000) for _ in range(dice.whole(1, 6))]}
    if dice.chance(0.7):
        backoff["jitter"] = dice.pick("none", "full", "equal", "25%")
    return backoff


def outliving(dice):
    """What looks back at old messages: keys, dead letters, replay, resend, objectives, outages."""
    parts = {}
    if dice.chance(0.9):
        strategy = "dedupe-table" if dice.chance(0.7) else dice.pick("unique-index", "natural")
        parts["idempotency"] = {"key": ["order_id"], "strategy": strategy}
        if strategy == "natural":
            parts["idempotency"]["reason"] = "the effect is the same when repeated"
        if strategy == "dedupe-table" and dice.chance(0.9):
            ttl = "forever" if dice.chance(0.1) else dice.duration(60_000, 2_592_000_000)
            parts["idempotency"]["ttl"] = ttl
    if dice.chance(0.75):
        dead = {"queue": "oracle-dlq", "owner": "payments"}
        if dice.chance(0.85):
            dead["triage_within"] = dice.duration(600_000, 172_800_000)
        if dice.chance(0.85):
            dead["retention"] = dice.duration(3_600_000, 1_209_600_000)
        if dice.chance(0.8):
            dead["redrive"] = dice.chance(0.85)
            if dice.chance(0.4):
                dead["redrive_within"] = dice.pick("ttl", dice.duration(3_600_000, 604_800_000))
        parts["dead_letter"] = dead
    if dice.chance(0.6):
        parts["replay"] = {"from": dice.pick("broker", "outbox", "archive"), "by": "time"}
        parts["replay"]["window"] = dice.duration(600_000, 172_800_000)
        if dice.chance(0.4):
            parts["replay"]["intent"] = dice.pick("verify", "reprocess")
    if dice.chance(0.6):
        parts["producer"] = {"confirms": True, "resend_within": dice.duration(60_000, 172_800_000)}
    if dice.chance(0.7):
        parts["slo"] = {"latency": {"p95": dice.duration(500, 900_000)}} if dice.chance(0.9) else {}
        if not parts["slo"] or dice.chance(0.8):
            parts["slo"]["alert"] = {"above": dice.duration(10_000, 7_200_000)}
            if dice.chance(0.8):
                parts["slo"]["alert"]["for"] = dice.duration(60_000, 900_000)
    if dice.chance(0.4):
        parts["outage"] = dice.duration(60_000, 86_400_000)
    if dice.chance(0.4):
        parts["retention"] = dice.duration(3_600_000, 1_209_600_000)
    return parts
