"""The oracle against figures that were worked out by hand or published elsewhere."""

import copy

import comparing
import contracts
import latency
from quantities import derive

S, M, H, D = 1000, 60_000, 3_600_000, 86_400_000


def retry(n, initial, cap, jitter="equal"):
    backoff = {"initial": initial, "factor": 2, "cap": cap, "jitter": jitter}
    return {"action": "retry", "max_retries": n, "backoff": backoff, "then": "dead-letter"}


TOUR = {
    "ackord": "v1",
    "queue": "payment-capture",
    "flow": "money",
    "producer": {"confirms": True, "resend_within": "24h"},
    "broker": {"kind": "rabbitmq", "version": "4.2", "queue_type": "quorum"},
    "delivery": {"guarantee": "at-least-once", "ack": "after-effect"},
    "idempotency": {"key": ["payment_intent_id"], "strategy": "dedupe-table", "ttl": "15d"},
    "processing": {
        "duration": {"mean": "400ms", "p99": "4s"},
        "handler_timeout": "30s",
        "lock": {"timeout": "5m"},
        "consumers": 2,
        "concurrency": 8,
        "prefetch": 8,
        "load": {"steady": "5/s", "peak": "20/s"},
    },
    "ordering": "none",
    "failures": {
        "transient": retry(5, "4s", "64s"),
        "poison": {"action": "dead-letter"},
        "business": {"action": "drop"},
        "unknown": retry(3, "4s", "16s"),
    },
    "redelivery": {"counted": True, "max_retries": 5},
    "dead_letter": {"queue": "payment-capture-dlq", "triage_within": "4h", "retention": "14d", "redrive": True},
    "replay": {"from": "outbox", "window": "24h", "expected_no_op": "100%"},
    "slo": {"latency": {"p95": "30s"}, "alert": {"above": "5m", "for": "2m"}},
}

TOUR_DERIVED = {
    "lock_ms": 5 * M, "hold_ms": 5 * M, "work_ms": 30 * S, "buffer_ms": 4 * S, "stay_ms": 30 * S, "margin_ms": M,
    "deliveries": 6, "workers": 16, "capacity_per_s": 40.0,
    "utilisation": 0.125, "utilisation_peak": 0.5, "amplification": 6,
    "classes": {
        "transient": {
            "max_retries": 5,
            "waits_ms": [[2000, 4000], [4000, 8000], [8000, 16000], [16000, 32000], [32000, 64000]],
            "total_wait_ms": [62 * S, 124 * S],
        },
        "unknown": {
            "max_retries": 3,
            "waits_ms": [[2000, 4000], [4000, 8000], [8000, 16000]],
            "total_wait_ms": [14 * S, 28 * S],
        },
    },
    "retry_chain_ms": 680 * S, "redelivery_bound_ms": 1590 * S,
    "time_to_dlq_ms": {"waits": 124 * S, "worst": 30 * M},
    "key": [
        {"id": "retries", "needs_ms": 680 * S, "slack_ms": 14 * D + 23 * H + 48 * M + 40 * S},
        {"id": "crashes", "needs_ms": 1590 * S, "slack_ms": 14 * D + 23 * H + 33 * M + 30 * S},
        {"id": "replay-window", "needs_ms": D, "slack_ms": 14 * D},
        {"id": "replay", "needs_ms": 101_923 * S, "slack_ms": 13 * D + 19 * H + 41 * M + 17 * S},
        {"id": "redrive", "needs_ms": 14 * D + 53 * M, "slack_ms": 23 * H + 7 * M},
        {"id": "resend", "needs_ms": D + M, "slack_ms": 13 * D + 23 * H + 59 * M},
        {"id": "resend-horizon", "needs_ms": D + M + 1590 * S, "slack_ms": 13 * D + 23 * H + 32 * M + 30 * S},
    ],
    "lock_list": [{"id": "handler", "needs_ms": 30 * S}, {"id": "buffer", "needs_ms": 30 * S}],
    "retention_list": [{"id": "time-to-dlq", "needs_ms": 30 * M}],
    "dead_letter_list": [{"id": "weekend", "needs_ms": 3 * D + 4 * H}, {"id": "triage", "needs_ms": 4 * H}],
    "dedupe_rows": 6_480_000, "p95_service_ms": 1511, "p95_with_queueing_ms": 1511,
    "alert_detect_ms": 7 * M, "alert_ratio": 10.0,
    "outage_ms": 10 * M, "outage_backlog": 3000, "drain_ms": 86 * S,
    "replay_duration_ms": 3 * H + 25 * M + 43 * S, "replay_messages": 432_000,
}  # fmt: skip

# The bar of the texts: lock 5m, five retries, cap 64s, no jitter.
BAR = {
    "ackord": "v1",
    "queue": "bar",
    "flow": "money",
    "delivery": {"guarantee": "at-least-once"},
    "idempotency": {"key": ["id"], "strategy": "dedupe-table", "ttl": "12m"},
    "processing": {"lock": {"timeout": "5m"}},
    "failures": {"transient": retry(5, "4s", "64s", "none")},
}


def but(base, **changes):
    """The base contract with `section__field=value` changes; None takes a field away."""
    changed = copy.deepcopy(base)
    for path, value in changes.items():
        *sections, field = path.split("__")
        place = changed
        for section in sections:
            place = place.setdefault(section, {})
        if value is None:
            place.pop(field, None)
        else:
            place[field] = value
    return changed


def tour(**changes):
    return derive(but(TOUR, **changes))


def lone(**changes):
    return derive(but(BAR, **changes))


def waits(**backoff):
    n = backoff.pop("n")
    rule = {"action": "retry", "max_retries": n, "backoff": backoff}
    return lone(failures={"transient": rule})["classes"]["transient"]


def cases():
    """(what, expected, found) of every figure that has a second source."""
    yield from ((name, value, derive(TOUR)[name]) for name, value in TOUR_DERIVED.items())
    yield "no other quantity", set(TOUR_DERIVED), set(derive(TOUR))

    bar = derive(BAR)
    yield "bar: chain 11m20s", 680 * S, bar["retry_chain_ms"]
    yield "bar: X needs p99", None, bar["redelivery_bound_ms"]
    yield "bar: 12m outlives the chain by 40s", ("retries", 680 * S, 40 * S), tuple(bar["key"][0].values())
    yield "bar: crashes are unknown", ("crashes", None, None), tuple(bar["key"][1].values())
    short = lone(idempotency__ttl="60s")
    yield "bar: 60s is 10m20s too short", -620 * S, short["key"][0]["slack_ms"]
    renewed = but(BAR, processing__duration={"p99": "1s"}, processing__lock={"timeout": "5m", "renewed": True})
    yield "bar renewed: hold", 301 * S, derive(renewed)["hold_ms"]
    yield "bar renewed: X 26m6s", 1566 * S, derive(renewed)["redelivery_bound_ms"]
    by_thread = but(renewed, processing__lock__renewed_by="handler-thread")
    yield "bar renewed by the handler's thread", 1561 * S, derive(by_thread)["redelivery_bound_ms"]
    limited = but(renewed, processing__handler_timeout="1h", processing__lock__renew_for="10m")
    yield "bar renewed for 10m", 15 * M, derive(limited)["hold_ms"]

    resend = lone(producer={"resend_within": "30m"})["key"][-2]
    yield "resend 30m wants 31m", ("resend", 31 * M), (resend["id"], resend["needs_ms"])
    redrive = tour(dead_letter__redrive_within="ttl")["key"][4]
    yield "redrive within ttl wants 2X", ("redrive", 3180 * S), (redrive["id"], redrive["needs_ms"])
    half = tour(idempotency__ttl="1500ms")["key"][0]
    yield "slack is rounded down", -679 * S, half["slack_ms"]
    yield "forever leaves no slack to state", None, tour(idempotency__ttl="forever")["key"][0]["slack_ms"]

    doubling = waits(n=6, initial="1s", factor=2, cap="5m")
    yield "1 2 4 8 16 32", [[s * S, s * S] for s in (1, 2, 4, 8, 16, 32)], doubling["waits_ms"]
    yield "their sum is 63s", [63 * S, 63 * S], doubling["total_wait_ms"]
    yield "seven waits to a cap of 60s", 123 * S, waits(n=7, initial="1s", cap="60s")["total_wait_ms"][1]
    decorrelated = waits(n=7, initial="1s", cap="60s", jitter="decorrelated")["total_wait_ms"]
    yield "the same decorrelated", [7 * S, 279 * S], decorrelated
    yield "full jitter", [0, 123 * S], waits(n=7, initial="1s", cap="60s", jitter="full")["total_wait_ms"]
    yield (
        "50%: jitter comes after the cap",
        [[2 * S, 6 * S]],
        waits(n=1, initial="9s", cap="4s", jitter="50%")["waits_ms"],
    )
    yield "steps count themselves", [3 * S, 3 * S], waits(n=9, steps=["1s", "2s"])["total_wait_ms"]
    expiry = {"action": "retry", "max_retries": 2, "backoff": "lock-expiry"}
    expiry = derive(but(renewed, failures={"transient": expiry}))
    yield (
        "lock-expiry waits hold - work",
        [[300 * S, 300 * S]] * 2,
        expiry["classes"]["transient"]["waits_ms"],
    )
    standard = lone(failures="standard")["classes"]
    yield "standard: 50% of 63s either way", [31_500, 94_500], standard["transient"]["total_wait_ms"]
    yield "standard: unknown retries three times", 3, standard["unknown"]["max_retries"]

    tries = {"max_retries": 2, "backoff": {"initial": "1s"}}
    inside = derive(but(renewed, failures__transient__in_process=tries))
    yield "three tries of 1s, waits of 1s and 2s", 6 * S, inside["work_ms"]
    yield (
        "derived lock is 1.5 stay",
        180 * S,
        tour(processing__lock=None, processing__handler_timeout="2m")["lock_ms"],
    )
    yield (
        "derived lock is 30s at least",
        30 * S,
        tour(processing__lock=None, processing__handler_timeout="5s")["lock_ms"],
    )
    sqs = but(TOUR, broker={"kind": "sqs", "managed": "elsewhere"}, processing__lock=None, processing__prefetch=None)
    yield "sqs elsewhere: lock 30s", 30 * S, derive(sqs)["lock_ms"]
    yield "sqs elsewhere: one at a time", 4 * S, derive(sqs)["buffer_ms"]
    yield (
        "a batch of 20 for eight, within 5s",
        43 * S,
        tour(processing__batch={"size": 20, "window": "5s"})["stay_ms"],
    )

    tight = tour(processing__lock__timeout="1m")
    yield "a wait longer than the lock counts: 60 60 60 62 94, 30, 60", 426 * S, tight["redelivery_bound_ms"]
    once = derive(but(renewed, failures={"transient": retry(1, "4s", "64s", "none")}))
    yield (
        "X shorter than the chain is what retries need",
        (424 * S, 362 * S),
        (once["retry_chain_ms"], once["key"][0]["needs_ms"]),
    )
    stepped = {"action": "retry", "backoff": {"steps": ["1s", "2s", "1s"]}}
    yield "the cap of steps is the largest", 366 * S, lone(failures={"transient": stepped})["retry_chain_ms"]
    capless = {"action": "retry", "max_retries": 3, "backoff": {"initial": "1s"}}
    yield "the cap unsaid is the last wait", 372 * S, lone(failures={"transient": capless})["retry_chain_ms"]
    yield "half a millisecond is rounded up", [[4, 5]], waits(n=1, initial="4ms", jitter="12.5%")["waits_ms"]

    yield "uncounted: no bound", None, tour(redelivery={"counted": False})["redelivery_bound_ms"]
    yield "lost: the classes' bound", 6, tour(redelivery="lost")["deliveries"]
    quorum = but(TOUR, broker__managed="elsewhere", redelivery=None)
    yield "quorum elsewhere: 20 redeliveries", 21, derive(quorum)["deliveries"]
    yield "classic elsewhere: no bound", None, derive(but(quorum, broker__queue_type="classic"))["deliveries"]
    lossy = tour(delivery__guarantee="at-most-once")
    yield (
        "at-most-once: one delivery, no lists",
        (1, [], []),
        (lossy["deliveries"], lossy["key"], lossy["lock_list"]),
    )

    full = tour(processing__load={"steady": "40/s"})
    never = (1.0, None, None, None)
    names = ("utilisation", "drain_ms", "replay_duration_ms", "p95_with_queueing_ms")
    yield "at capacity nothing ends", never, tuple(full[name] for name in names)
    yield (
        "ordered: no more workers than partitions",
        4,
        tour(ordering={"key": ["id"], "partitions": 4})["workers"],
    )
    yield (
        "p99 15 times the mean fits no lognormal",
        None,
        tour(processing__duration__p99="6.1s")["p95_service_ms"],
    )
    median = tour(processing__duration={"p50": "1s", "p99": "10.24s"})
    yield "median 1s, sigma 1: mean 1.65s, p95 5.18s", (1.65, 5.18), (
        round(16 / median["capacity_per_s"], 2), round(median["p95_service_ms"] / S, 2),
    )  # fmt: skip
    yield "300/min is 5/s", 0.125, tour(processing__load={"steady": "300/min"})["utilisation"]
    yield "a written p95 is kept", 2 * S, tour(processing__duration__p95="2s")["p95_service_ms"]

    # Waits of M/M/c queues: closed forms for one server, a simulation's table for ten.
    for load, servers, mean, cv2, expected in (
        (30, 10, 0.2, 1.0, 0.035), (40, 10, 0.2, 1.0, 0.210), (4.5, 1, 0.2, 1.0, 5.781), (4.5, 1, 0.2, 0.0, 2.89),
    ):  # fmt: skip
        found = latency.wait_p95(load, servers, mean, cv2)
        yield "wait of %s/s at %s servers" % (load, servers), expected, round(found, 3)

    yield "the same seed, the same contract", contracts.contract(7, 3), contracts.contract(7, 3)
    yield "another seed, another contract", False, contracts.contract(7, 3) == contracts.contract(8, 3)
    yield (
        "a difference is seen",
        1,
        len(comparing.differences(TOUR_DERIVED, {**TOUR_DERIVED, "drain_ms": 85 * S})[1]),
    )
    yield "a missing quantity is seen", 1, len(comparing.differences({"a": 1}, {})[1])
    yield "unknown is not zero", False, comparing.equal(None, 0, "hold_ms")
    yield "the last digits of a ratio are free", True, comparing.equal(0.1, 0.1 + 1e-12, "utilisation")


def run():
    wrong = total = 0
    for what, expected, found in cases():
        total += 1
        if expected != found:
            wrong += 1
            print("%s: expected %r, found %r" % (what, expected, found))
    print("selftest: %d figures, %d wrong" % (total, wrong))
    return 1 if wrong else 0
