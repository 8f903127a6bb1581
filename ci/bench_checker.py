#!/usr/bin/env python3
"""bench_checker.py [--genmc BINARY TESTS] [--repetitions N] [--filter REGEX] [--json FILE]
                    [--plot FILE] PROGRAM

Explores the programs of bench/genmc/programs.txt with this checker and, with --genmc, with GenMC, and
prints a table: executions, blocked runs, executions per second of processor time, peak memory, and
the ratio of the two rates.

  PROGRAM          checker_program, which explores one program
  --genmc          GenMC's executable, and the folder "tests" of its source tree
  --repetitions N  of each program (default 5); the table has medians
  --filter REGEX   only the programs whose names match
  --json FILE      write all measurements to FILE
  --plot FILE      write a plot in SVG to FILE

Each run is a process, and the runs of the two checkers alternate. The time of an empty program is
subtracted. A test that GenMC cannot run is listed below the table, and has no ratio. Exit status: 0;
1 this checker fails, or finds another number of executions than is known; 2 wrong usage or bad input.
"""
import argparse
import collections
import json
import math
import os
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import threading

import bench_checker_report as report

ROOT = pathlib.Path(__file__).resolve().parent.parent
OWN = ROOT / "bench/genmc"
GENMC_OPTIONS = ["-rc11", "-disable-estimation"]
LIMIT = float(os.environ.get("FENCEPOST_BENCH_LIMIT", 600))  # seconds a run may take
LONG_ENOUGH = 0.2  # seconds: shorter explorations of ours are repeated in one process
MOST_TIMES = 500

Program = collections.namedtuple("Program", "name test options flags")
Ended = collections.namedtuple("Ended", "status seconds peak_kib output")


class Failed(Exception):
    """Why a run does not count."""


def die(status, why):
    print(f"{pathlib.Path(sys.argv[0]).name}: {why}", file=sys.stderr)
    sys.exit(status)


def read_rows(path, form):
    """Returns the fields of each line, described by form. Neither of the first two is empty."""
    rows = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = [field.strip() for field in line.split("|")]
        if len(fields) != form.count("|") + 1 or not all(fields[:2]):
            die(2, f"{path}:{number}: not {form}")
        rows.append(fields)
    return rows


def read_programs(path):
    return [Program(name, test, shlex.split(options), shlex.split(flags))
            for name, test, options, flags in read_rows(path, "NAME | TEST | OPTIONS | OPTIONS")]


def run(command):
    """Runs a process to its end: returns its status, processor time, peak memory and output."""
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT)
        timer = threading.Timer(LIMIT, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        late = not timer.is_alive()
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)  # or Popen would wait for it again
        if late:
            raise Failed(f"no answer within {LIMIT:g} s")
        output.seek(0)
        return Ended(process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, output.read())


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "it printed nothing"


class Ours:
    """This checker, through checker_program."""

    def __init__(self, binary):
        self.binary = binary
        self.times = {}  # explorations in one process, of each program

    def explore(self, program):
        times = self.times.get(program.name, 1)
        try:
            ended = run([self.binary, program.name, str(times)])
            if ended.status != 0:
                die(1, f"{program.name}: {ended.output.strip() or f'exit status {ended.status}'}")
            found = json.loads(ended.output)
            return {"executions": found["executions"], "blocked": found["blocked"],
                    "seconds": ended.seconds, "peak_kib": found["peak_kib"], "times": times}
        except (OSError, Failed, ValueError, KeyError) as wrong:
            die(2, f"{self.binary} {program.name}: {wrong}")

    def calibrate(self, program):
        once = self.explore(program)["seconds"]
        if once < LONG_ENOUGH:
            self.times[program.name] = min(MOST_TIMES, math.ceil(LONG_ENOUGH / max(once, 1e-4)))


class GenMC:
    """The executable and the tests that --genmc names."""

    def __init__(self, binary, tests, programs):
        self.binary, self.tests = binary, pathlib.Path(tests)
        if not os.path.isfile(binary) or not os.access(binary, os.X_OK):
            die(2, f'--genmc: "{binary}" is not an executable file')
        foreign = [p for p in programs if not p.test.startswith("./")]
        if foreign and not any(self.file_of(p).is_file() for p in foreign):
            die(2, f'--genmc: "{tests}" has none of the tests, such as {foreign[0].test}: it should be '
                   'the folder "tests" of GenMC\'s source tree')
        try:
            text = run([binary, "--version"]).output
        except (OSError, Failed) as wrong:
            die(2, f'--genmc: "{binary}" cannot be run: {wrong}')
        version = re.search(r"\bGenMC v?(\d[\w.]*)", text)
        if version is None:
            die(2, f'--genmc: "{binary}" does not seem to be GenMC: --version says "{last_line(text)}"')
        self.version = version[1]

    def file_of(self, program):
        return (OWN if program.test.startswith("./") else self.tests) / program.test

    def explore(self, program):
        file = self.file_of(program)
        if not file.is_file():
            raise Failed(f"there is no {file}")
        ended = run([self.binary, *GENMC_OPTIONS, *program.options, "--", *program.flags, str(file)])
        if ended.status != 0:
            raise Failed(f"GenMC ended with {ended.status}: {last_line(ended.output)}")
        executions = re.search(r"^Number of complete executions explored: (\d+)", ended.output, re.M)
        blocked = re.search(r"^Number of blocked executions seen: (\d+)", ended.output, re.M)
        if executions is None or "No errors were detected" not in ended.output:
            raise Failed(f"GenMC's output cannot be parsed: {last_line(ended.output)}")
        return {"executions": int(executions[1]), "blocked": int(blocked[1]) if blocked else 0,
                "seconds": ended.seconds, "peak_kib": ended.peak_kib, "times": 1}


def summary(runs, fixed):
    """Sums up the runs of a program with a checker; fixed: the seconds that an empty program takes."""
    seconds = [(one["seconds"] - fixed) / one["times"] for one in runs]
    median = statistics.median(seconds)
    executions = runs[0]["executions"]
    if any((one["executions"], one["blocked"]) != (executions, runs[0]["blocked"]) for one in runs):
        raise Failed("the runs differ in the number of executions")
    if median * runs[0]["times"] < fixed / 4:
        raise Failed("too short to measure, compared with the fixed cost")
    return {"executions": executions, "blocked": runs[0]["blocked"], "seconds": median,
            "executions_per_second": executions / median,
            "peak_kib": max(one["peak_kib"] for one in runs), "runs_seconds": seconds}


def measure(programs, ours, genmc, repetitions):
    """Returns the runs of each program, by checker, and the failures of GenMC."""
    runs = {program.name: ([], []) for program in programs}
    failures = {}
    for program in programs[1:]:
        ours.calibrate(program)
    for repetition in range(1, repetitions + 1):
        for program in programs:
            print(f"repetition {repetition} of {repetitions}: {program.name}", file=sys.stderr)
            runs[program.name][0].append(ours.explore(program))
            if genmc is None or program.name in failures:
                continue
            try:
                runs[program.name][1].append(genmc.explore(program))
            except Failed as wrong:
                failures[program.name] = str(wrong)
    return runs, failures


def fixed_seconds(runs):
    """Returns the cost of an empty program."""
    return statistics.median(one["seconds"] / one["times"] for one in runs) if runs else 0.0


def rows_of(programs, runs, failures):
    fixed = [fixed_seconds(side) for side in runs[programs[0].name]]
    rows = []
    for program in programs[1:]:
        row = {"name": program.name}
        try:
            row["ours"] = summary(runs[program.name][0], fixed[0])
            if program.name not in failures and runs[program.name][1]:
                row["genmc"] = summary(runs[program.name][1], fixed[1])
                row["ratio"] = (row["ours"]["executions_per_second"] /
                                row["genmc"]["executions_per_second"])
        except Failed as wrong:
            failures[program.name] = str(wrong)
        if program.name in failures:
            row["failure"] = failures[program.name]
        rows.append(row)
    return rows, fixed


def chosen(programs, pattern):
    """Returns the programs that match --filter."""
    try:
        some = [p for p in programs if re.search(pattern, p.name)]
    except re.error as wrong:
        die(2, f'--filter: "{pattern}" is not a regular expression: {wrong}')
    if not some:
        die(2, f'--filter: no program\'s name matches "{pattern}"')
    return some


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("--genmc", nargs=2, default=None)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--filter", default=".")
    parser.add_argument("--json")
    parser.add_argument("--plot")
    parser.add_argument("program")
    options = parser.parse_args()
    if options.repetitions < 1:
        die(2, f'--repetitions: "{options.repetitions}" is not a number from 1 up')
    empty, *programs = read_programs(OWN / "programs.txt")
    programs = [empty, *chosen(programs, options.filter)]
    ours = Ours(options.program)
    genmc = GenMC(*options.genmc, programs) if options.genmc else None
    runs, failures = measure(programs, ours, genmc, options.repetitions)
    if empty.name in failures:
        die(2, f"--genmc: GenMC fails at the empty program: {failures[empty.name]}")
    rows, fixed = rows_of(programs, runs, failures)
    measured = {"repetitions": options.repetitions, "genmc": genmc.version if genmc else None,
                "fixed_seconds": fixed[: 2 if genmc else 1], "rows": rows,
                "geometric_mean": report.geometric_mean(rows)}
    print(report.table(measured), end="")
    try:
        if options.json:
            pathlib.Path(options.json).write_text(json.dumps(measured, indent=1) + "\n")
        if options.plot:
            pathlib.Path(options.plot).write_text(report.plot(measured))
    except OSError as wrong:
        die(2, f"{wrong.filename} cannot be written: {wrong.strerror}")


if __name__ == "__main__":
    main()
