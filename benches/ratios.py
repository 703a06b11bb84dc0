#!/usr/bin/env python3
"""Measures Ackord against its speed bars and says which of them hold.

Milliseconds differ between machines and between minutes of one machine, so every figure comes from
pairs: the two sides of a comparison run right after each other, and the median over the pairs
counts. Wherever the work is on one thread, its CPU time (user and system) is compared, which a
busy neighbour disturbs less than the clock.

    python3 benches/ratios.py                  all bars; builds what it needs; exit 1 where one is missed
    python3 benches/ratios.py events editor    only the bars whose names hold one of the words
    python3 benches/ratios.py --pairs 21       more pairs, where the machine is busy
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples/payment-capture/payment-capture.queue.yaml"
MIB = 1024 * 1024


class Usage(NamedTuple):
    """What one process took."""

    cpu: float
    wall: float
    memory: int


class Bar(NamedTuple):
    """A figure that may not be exceeded. `measure` gives it for one pair of runs."""

    name: str
    most: float
    unit: str
    measure: Callable[[], float]


class Tools:
    """The two programs, built for release."""

    ackord: Path
    jobs: Path

    def __init__(self):
        command = ["cargo", "build", "--release", "--bin", "ackord", "--bench", "jobs"]
        output = subprocess.run(
            [*command, "--message-format=json"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
        ).stdout
        for message in map(json.loads, output.splitlines()):
            if message.get("executable"):
                setattr(self, message["target"]["name"], Path(message["executable"]))


def run(command: list, threads: int = 1, allowed: tuple = (0,)) -> Usage:
    """Runs a command to its end, with its output thrown away."""
    environment = {**os.environ, "RAYON_NUM_THREADS": str(threads)}
    start = time.perf_counter()
    process = subprocess.Popen(
        list(map(str, command)), env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in allowed:
        sys.exit(f"`{' '.join(map(str, command))}` ended with {process.returncode}")
    return Usage(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024)


def write_inputs(folder: Path, files: int) -> None:
    """The corpus and the single files; the same bytes each time."""
    text = EXAMPLE.read_text()
    many = folder / "many"
    many.mkdir()
    for number in range(files):
        # The queue and its dead-letter queue are named apart, so that no two contracts clash.
        contract = text.replace("payment-capture", f"payment-capture-{number:04}")
        (many / f"{number:04}.queue.yaml").write_text(contract)
    one = {
        "contract": text,
        "damaged": damaged(text),
        "bomb": "\n".join(
            ["x-0: &a0 [lol, lol]", *(f"x-{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 900)), text]
        ),
        "deep flow": text + "x-deep: " + "[" * 10_000 + "]" * 10_000 + "\n",
        "deep block": text + "x-deep:\n  " + "- " * 10_000 + "a\n",
        "comments": text + "# a comment of the usual length, which says why\n" * 5_000,
        "findings": text + "".join(f"unknown_{n}: 1" + " " * 220 + "# why\n" * 45 for n in range(1_000)),
        "one line": text + "x-line: {" + ", ".join(f"k: {n:0480}" for n in range(1_000)) + "}\n",
    }
    for name, content in one.items():
        # A folder for each: the rest of a workspace is read as well.
        (folder / name).mkdir()
        (folder / name / "one.queue.yaml").write_text(content)


def damaged(text: str) -> str:
    """The contract with five mistakes of syntax, of the kinds that typing leaves behind."""
    lines = text.splitlines()
    for at, line in [
        (14, 'a: "open'),
        (30, "  b: [1, 2"),
        (45, "\tc: 1"),
        (60, "    d: e: f"),
        (75, "  - g"),
    ]:
        lines.insert(at, line)
    return "\n".join(lines) + "\n"


def bars(tools: Tools, folder: Path) -> list:
    """Every bar that needs no other linter."""
    many = folder / "many"
    file = {path.parent.name: path for path in folder.glob("*/one.queue.yaml")}
    check = [tools.ackord, "check", "--quiet"]
    any_code = (0, 1, 2)

    def over_events() -> float:
        floor = run([tools.jobs, "events", many])
        return run([*check, many]).cpu / floor.cpu

    def threads() -> float:
        one = run([*check, many], threads=1)
        return run([*check, many], threads=2).wall / one.wall

    def one_file() -> float:
        nothing = run([tools.jobs])
        return 1e3 * (run([*check, file["contract"]], threads=2).wall - nothing.wall)

    def each(job: str, path: Path, times: int) -> float:
        """The CPU seconds of one repetition: the start of the process is taken out."""
        once = run([tools.jobs, job, path, 1])
        return (run([tools.jobs, job, path, times + 1]).cpu - once.cpu) / times

    def whole(name: str) -> Callable[[], float]:
        return lambda: 1e3 * run([*check, file[name]], allowed=any_code).cpu

    def memory(name: str) -> Callable[[], float]:
        return lambda: run([*check, file[name]], allowed=any_code).memory / MIB

    listed = [
        Bar("many files, CPU over bare events", 1.8, "x", over_events),
        Bar("many files, two threads over one", 0.6, "x", threads),
        Bar("one file, over an empty process", 6, "ms", one_file),
        Bar("editor, from scratch", 1, "ms", lambda: 1e3 * each("check", file["contract"], 500)),
        Bar("editor, five syntax errors", 4, "ms", lambda: 1e3 * each("check", file["damaged"], 200)),
    ]
    for name in ["bomb", "deep flow", "deep block", "comments"]:
        listed.append(Bar(f"hostile, {name}, CPU", 50, "ms", whole(name)))
        listed.append(Bar(f"hostile, {name}, memory", 32, "MiB", memory(name)))
    for name in ["findings", "one line"]:
        job = lambda name=name: 1e6 * each("render", file[name], 20) / 1_000
        listed.append(Bar(f"each of 1,000 findings, {name}", 20, "us", job))
    return listed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("words", nargs="*", help="only bars whose names hold one of these")
    parser.add_argument("--pairs", type=int, default=9)
    parser.add_argument("--files", type=int, default=2_000)
    chosen = parser.parse_args()
    tools = Tools()
    missed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_inputs(folder, chosen.files)
        for bar in bars(tools, folder):
            if chosen.words and not any(word in bar.name for word in chosen.words):
                continue
            figures = [bar.measure() for _ in range(chosen.pairs)]
            median = statistics.median(figures)
            holds = median <= bar.most
            missed += not holds
            spread = f"({min(figures):.2f} to {max(figures):.2f})"
            mark = "pass" if holds else "FAIL"
            print(f"{mark}  {bar.name:44} {median:8.2f} of {bar.most:g} {bar.unit:4} {spread}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
