"""Every derived quantity of a contract, from the definitions.

Written to be read beside the definitions, not beside the product's code: the
two must agree because both are right, never because one was copied.
"""

import math
from fractions import Fraction

import latency
import retries
from units import duration, millis, nearest, needs, number, rate, slack

MARGIN = Fraction(60)
LEAST_LOCK = Fraction(30)
WEEKEND = Fraction(3 * 86400)
OUTAGE = Fraction(600)

# What a broker does where nobody wrote a setting and nobody emits one.
DEFAULT_LOCK = {
    "sqs": Fraction(30),
    "rabbitmq": Fraction(1800),
    "kafka": Fraction(300),
    "pubsub": Fraction(10),
    "nats-jetstream": Fraction(30),
    "service-bus": Fraction(60),
}
DEFAULT_PREFETCH = {"kafka": 500, "sqs": 1}


def plus(*terms):
    """A sum of which one unknown term makes the whole unknown."""
    return None if None in terms else sum(terms, Fraction(0))


def derive(contract):
    """The document that `ackord inspect --output-format json` has under `derived`."""
    held = holding(contract)
    classes = retries.retrying(contract, held["expiry_wait"])
    n = retries.most_redeliveries(contract, classes)
    bounds = chains(held, classes, n)
    flow = capacity(contract)
    return {
        "lock_ms": millis(held["lock"]),
        "hold_ms": millis(held["hold"]),
        "work_ms": millis(held["work"]),
        "buffer_ms": millis(held["buffer"]),
        "stay_ms": millis(held["stay"]),
        "margin_ms": millis(MARGIN),
        "deliveries": plus_one(n),
        "amplification": plus_one(n),
        "classes": {name: class_document(waits) for name, waits in classes.items()},
        "retry_chain_ms": millis(bounds["chain"]),
        "redelivery_bound_ms": millis(bounds["x"]),
        "time_to_dlq_ms": {"waits": millis(bounds["waits"]), "worst": millis(bounds["worst"])},
        "key": key_list(contract, bounds, flow, bool(classes)),
        "lock_list": lock_list(contract, held),
        "retention_list": retention_list(contract, bounds, flow),
        "dead_letter_list": dead_letter_list(contract),
        "dedupe_rows": dedupe_rows(contract, flow["load"]),
        **flow_document(flow),
        **alert_document(contract),
    }


def plus_one(n):
    return None if n is None else n + 1


def class_document(waits):
    known = waits.known
    return {
        "max_retries": waits.n,
        "waits_ms": [[millis(lo), millis(hi)] for lo, hi in waits.each()[:20]] if known else None,
        "total_wait_ms": [millis(total) for total in waits.total()] if known else None,
    }


def at_least_once(contract):
    return contract["delivery"]["guarantee"] != "at-most-once"


# How long one delivery may keep a message.


def holding(contract):
    """lock, buffer, work, stay, hold, and the wait until a lock that nobody settles runs out."""
    processing = contract.get("processing") or {}
    lock_spec = processing.get("lock") or {}
    p99 = duration((processing.get("duration") or {}).get("p99"))
    has_tries, tries = retries.in_process(contract, p99)
    work = duration(processing.get("handler_timeout"))
    if work is None:
        work = tries
    buffer = buffer_of(contract, p99)
    window = duration((processing.get("batch") or {}).get("window", "0s"))
    stay = None if None in (p99, buffer, work) else window + buffer - p99 + work
    lock = lock_of(contract, stay)
    hold = lock
    if lock_spec.get("renewed") and lock_spec.get("renewed_by", "own") == "own":
        renewed = work
        if work is not None and "renew_for" in lock_spec:
            renewed = min(work, duration(lock_spec["renew_for"]))
        hold = plus(lock, renewed)
    expiry_wait = None if None in (hold, work) else max(Fraction(0), hold - work)
    return {
        "lock": lock, "hold": hold, "work": work, "buffer": buffer, "stay": stay,
        "expiry_wait": expiry_wait, "has_tries": has_tries, "tries": tries,
    }  # fmt: skip


def buffer_of(contract, p99):
    """The wait of the last message fetched, until its own handling ends."""
    processing = contract.get("processing") or {}
    broker = contract.get("broker") or {}
    concurrency = processing.get("concurrency", 1)
    prefetch = processing.get("prefetch", broker.get("max_poll_records"))
    if prefetch is None:
        if broker.get("managed", "ackord") == "ackord":
            prefetch = concurrency
        else:
            prefetch = DEFAULT_PREFETCH.get(broker["kind"])
    if prefetch is None or p99 is None:
        return None
    if broker.get("kind") == "service-bus":
        prefetch += concurrency
    fetched = max(prefetch, (processing.get("batch") or {}).get("size", 0))
    return math.ceil(Fraction(fetched, concurrency)) * p99


def lock_of(contract, stay):
    broker = contract.get("broker") or {}
    lock_spec = (contract.get("processing") or {}).get("lock") or {}
    written = lock_spec.get("timeout", broker.get("max_poll_interval"))
    if written is not None:
        return duration(written)
    if broker.get("managed", "ackord") == "elsewhere":
        return DEFAULT_LOCK.get(broker["kind"])
    return None if stay is None else max(LEAST_LOCK, Fraction(math.ceil(stay * Fraction(3, 2))))


# How long a message may go round.


def chains(held, classes, n):
    """The retry chain, the redelivery bound X, and the time to the dead-letter queue."""
    lock, hold, stay = held["lock"], held["hold"], held["stay"]
    known = all(waits.known for waits in classes.values())
    chain = x = worst = waits = None
    if classes and known and lock is not None:
        chain = max(lock + w.n * w.cap * w.j() + MARGIN for w in classes.values())
    if known:
        waits = max((w.total()[1] for w in classes.values()), default=Fraction(0))
    if known and n is not None and stay is not None and (hold is not None or n == 0):
        rounds = Fraction(0)
        for i in range(1, n + 1):
            longest = max((w.hi(i) for w in classes.values() if w.n >= i), default=Fraction(0))
            rounds += max(hold, stay + longest)
        x = rounds + stay + MARGIN
        worst = None if hold is None else rounds + max(hold, stay)
    return {"chain": chain, "x": x, "waits": waits, "worst": worst}


# How much the consumers can do.


def capacity(contract):
    processing = contract.get("processing") or {}
    figures = {name: duration(text) for name, text in (processing.get("duration") or {}).items()}
    service = latency.service(**figures)
    workers = workers_of(contract)
    load_spec = processing.get("load") or {}
    steady, peak = rate(load_spec.get("steady")), rate(load_spec.get("peak"))
    load = peak if steady is None else steady
    able = None if service.mean is None else workers / service.mean
    spare = None if None in (able, load) or able <= load else able - load
    outage = duration(contract.get("outage"))
    window = duration((contract.get("replay") or {}).get("window"))
    return {
        "workers": workers, "service": service, "load": load, "peak": peak, "capacity": able,
        "outage": outage, "drain": time_for(load, OUTAGE if outage is None else outage, spare),
        "window": window, "replay": time_for(load, window, spare),
    }  # fmt: skip


def workers_of(contract):
    processing = contract.get("processing") or {}
    workers = processing.get("consumers", 1) * processing.get("concurrency", 1)
    ordering = contract.get("ordering", "none")
    if ordering == "none":
        return workers
    partitions = ordering.get("partitions", (contract.get("broker") or {}).get("partitions"))
    return workers if partitions is None else min(workers, partitions)


def time_for(load, span, spare):
    """How long the spare capacity takes for what arrives within the span."""
    return None if None in (load, span, spare) else load * span / spare


def flow_document(flow):
    load, able, service = flow["load"], flow["capacity"], flow["service"]
    outage = OUTAGE if flow["outage"] is None else flow["outage"]
    window = flow["window"]
    wait = latency.wait_p95(load, flow["workers"], service.mean, service.cv2)
    return {
        "workers": flow["workers"],
        "capacity_per_s": number(able),
        "utilisation": None if None in (load, able) else number(load / able),
        "utilisation_peak": None if None in (flow["peak"], able) else number(flow["peak"] / able),
        "p95_service_ms": millis(service.p95),
        "p95_with_queueing_ms": None if None in (wait, service.p95) else millis(wait + float(service.p95)),
        "outage_ms": millis(outage),
        "outage_backlog": None if load is None else math.ceil(load * outage),
        "drain_ms": needs(flow["drain"]),
        "replay_duration_ms": needs(flow["replay"]),
        "replay_messages": None if None in (load, window) else math.ceil(load * window),
    }


def dedupe_rows(contract, load):
    ttl = ttl_of(contract)
    if (contract.get("idempotency") or {}).get("strategy") != "dedupe-table":
        return None
    return None if None in (load, ttl) else nearest(load * ttl)


def alert_document(contract):
    slo = contract.get("slo") or {}
    alert = slo.get("alert") or {}
    above = duration(alert.get("above"))
    p95 = duration((slo.get("latency") or {}).get("p95"))
    return {
        "alert_detect_ms": millis(plus(above, duration(alert.get("for", "0s")))),
        "alert_ratio": None if None in (above, p95) else number(above / p95),
    }


# What must be outlived, each list in its order.


def ttl_of(contract):
    ttl = (contract.get("idempotency") or {}).get("ttl")
    return None if ttl in (None, "forever") else duration(ttl)


def key_list(contract, bounds, flow, retried):
    if (contract.get("idempotency") or {}).get("strategy") != "dedupe-table" or not at_least_once(contract):
        return []
    ttl, x, chain = ttl_of(contract), bounds["x"], bounds["chain"]
    entries = []
    if retried:
        entries.append(("retries", chain if None in (chain, x) else min(chain, x)))
    entries.append(("crashes", x))
    replay = contract.get("replay")
    if replay is not None and replay.get("intent", "verify") == "verify":
        entries.append(("replay-window", flow["window"]))
        entries.append(("replay", plus(x, flow["window"], flow["replay"], x)))
    dead_letter = contract.get("dead_letter") or {}
    if dead_letter.get("redrive"):
        within = dead_letter.get("redrive_within", dead_letter.get("retention"))
        age = Fraction(0) if within == "ttl" else duration(within)
        entries.append(("redrive", plus(x, age, x)))
    resend = duration((contract.get("producer") or {}).get("resend_within"))
    if resend is not None:
        entries.append(("resend", resend + MARGIN))
        entries.append(("resend-horizon", plus(resend, MARGIN, x)))
    return [
        {"id": name, "needs_ms": needs(need), "slack_ms": None if None in (ttl, need) else slack(ttl - need)}
        for name, need in entries
    ]


def needs_document(entries):
    return [{"id": name, "needs_ms": needs(need)} for name, need in entries]


def lock_list(contract, held):
    if not at_least_once(contract):
        return []
    entries = [("handler", held["work"]), ("buffer", held["stay"])]
    if held["has_tries"]:
        entries.append(("in-process", held["tries"]))
    return needs_document(entries)


def retention_list(contract, bounds, flow):
    if not at_least_once(contract):
        return []
    entries = [("time-to-dlq", bounds["worst"])]
    if flow["outage"] is not None:
        entries.append(("outage", plus(flow["outage"], flow["drain"])))
    return needs_document(entries)


def dead_letter_list(contract):
    if not at_least_once(contract) or "dead_letter" not in contract:
        return []
    triage = duration(contract["dead_letter"].get("triage_within"))
    return needs_document([("weekend", plus(WEEKEND, triage)), ("triage", triage)])
