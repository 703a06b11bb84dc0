"""Holding the product's figures against the oracle's, one quantity at a time."""

import json
import subprocess

# Only what is a float in the product may differ, and only in its last digits.
FLOATS = {"capacity_per_s", "utilisation", "utilisation_peak", "alert_ratio"}
TOLERANCE = 1e-9


def inspect(binary, path):
    """What the product derives for one file; a failure is a ValueError that says which."""
    command = [binary, "inspect", path, "--output-format", "json"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    try:
        document = json.loads(ran.stdout)
    except ValueError:
        said = (ran.stderr or ran.stdout).strip().splitlines()
        raise ValueError("no JSON, exit %d: %s" % (ran.returncode, said[0] if said else "silence")) from None
    if isinstance(document, list) and len(document) == 1:
        document = document[0]
    if not isinstance(document, dict) or "derived" not in document:
        raise ValueError("the JSON has no `derived`")
    return document["derived"]


def differences(expected, actual, path=""):
    """(quantities compared, what differs). Fields that the oracle does not know are passed over."""
    if isinstance(expected, dict):
        if not isinstance(actual, dict):
            return 1, ["%s: expected a mapping, got %s" % (path, json.dumps(actual))]
        counted, found = 0, []
        for name, value in expected.items():
            below = "%s.%s" % (path, name) if path else name
            if name not in actual:
                counted, found = counted + 1, found + ["%s: missing, expected %s" % (below, json.dumps(value))]
                continue
            more, wrong = differences(value, actual[name], below)
            counted, found = counted + more, found + wrong
        if path == "classes":
            found += ["classes.%s: not expected" % name for name in actual if name not in expected]
        return counted, found
    if isinstance(expected, list):
        if not isinstance(actual, list) or len(actual) != len(expected):
            return 1, ["%s: expected %s, got %s" % (path, json.dumps(expected), json.dumps(actual))]
        counted, found = 1, []
        for index, value in enumerate(expected):
            more, wrong = differences(value, actual[index], "%s[%d]" % (path, index))
            counted, found = counted + more, found + wrong
        return counted, found
    if equal(expected, actual, path.rsplit(".", 1)[-1]):
        return 1, []
    return 1, ["%s: expected %s, got %s" % (path, json.dumps(expected), json.dumps(actual))]


def equal(expected, actual, name):
    if name in FLOATS and expected is not None:
        numeric = isinstance(actual, (int, float)) and not isinstance(actual, bool)
        return numeric and abs(expected - actual) <= TOLERANCE * abs(expected)
    return type(expected) is type(actual) and expected == actual
