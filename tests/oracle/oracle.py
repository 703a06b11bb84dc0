#!/usr/bin/env python3
"""An independent oracle for the derived quantities of queue contracts.

    oracle.py generate --seed N --count 200 --out DIR
    oracle.py expect FILE.queue.yaml ...
    oracle.py compare --ackord PATH --dir DIR
    oracle.py selftest

It reads contracts in JSON syntax, which is YAML too, with the standard library
alone. README.md beside it says what each quantity is and how the definitions
were read.
"""

import argparse
import json
import pathlib
import subprocess
import sys
from fractions import Fraction

sys.dont_write_bytecode = True

import comparing  # noqa: E402
import contracts  # noqa: E402
import quantities  # noqa: E402
import selftest  # noqa: E402


def read(path):
    """A contract whose decimals are kept exact."""
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"), parse_float=Fraction)


def generate(args):
    out = pathlib.Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    for index in range(args.count):
        text = json.dumps(contracts.contract(args.seed, index), indent=2) + "\n"
        (out / ("%03d.queue.yaml" % index)).write_bytes(text.encode("utf-8"))
    print("wrote %d contracts of seed %d to %s" % (args.count, args.seed, out))
    return 0


def expect(args):
    for path in args.files:
        print(json.dumps(quantities.derive(read(path))))
    return 0


def compare(args):
    paths = sorted(pathlib.Path(args.dir).glob("*.queue.yaml"))
    if not paths:
        print("%s holds no *.queue.yaml: nothing was compared" % args.dir)
        return 1
    compared = differing = 0
    for path in paths:
        expected = quantities.derive(read(path))
        try:
            counted, found = comparing.differences(expected, comparing.inspect(args.ackord, str(path)))
        except (ValueError, subprocess.TimeoutExpired) as problem:
            counted, found = 0, [str(problem)]
        compared, differing = compared + counted, differing + len(found)
        for difference in found:
            print("%s: %s" % (path.name, difference))
    print("%d contracts, %d quantities compared, %d differences" % (len(paths), compared, differing))
    return 1 if differing else 0


def main():
    parser = argparse.ArgumentParser(description="An independent oracle for derived quantities.")
    modes = parser.add_subparsers(dest="mode", required=True)
    mode = modes.add_parser("generate", help="write random contracts")
    mode.add_argument("--seed", type=int, default=1)
    mode.add_argument("--count", type=int, default=200)
    mode.add_argument("--out", required=True)
    mode.set_defaults(run=generate)
    mode = modes.add_parser("expect", help="print the derived quantities, one JSON document a line")
    mode.add_argument("files", nargs="+")
    mode.set_defaults(run=expect)
    mode = modes.add_parser("compare", help="hold a binary's `inspect` against the oracle")
    mode.add_argument("--ackord", required=True)
    mode.add_argument("--dir", required=True)
    mode.set_defaults(run=compare)
    mode = modes.add_parser("selftest", help="hold the oracle against published figures")
    mode.set_defaults(run=lambda _: selftest.run())
    args = parser.parse_args()
    return args.run(args)


if __name__ == "__main__":
    sys.exit(main())
