#!/usr/bin/env python3
"""bench_programs.py [--repetitions N] [--filter REGEX] [--json FILE] FENCEPOST PROGRAM

Explores each program of bench/programs/programs.txt twice: unmodified, with std::atomic and
std::thread, and as a scenario. Prints a table: executions, executions per second of processor time of
both, and the ratio of the time per execution.

  FENCEPOST        the command line, which compiles the programs and checks them
  PROGRAM          checker_program, which explores the scenarios
  --repetitions N  of each program (default 5); the table has medians
  --filter REGEX   only the programs whose names match
  --json FILE      write all measurements to FILE

Each run is a process, and programs and scenarios alternate. The time of an empty program is subtracted.
Exit status: 0; 1 a verdict is not "verified", or the counts of executions differ; 2 wrong usage, or
something cannot be compiled or run.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import bench_checker as base
import bench_checker_report as report

SOURCES = base.ROOT / "bench/programs"
INCLUDE = [f"-I{base.ROOT / folder}" for folder in ("core/include", "models/scenario/include")]

Program = collections.namedtuple("Program", "name type")


class AsTheyAre:
    """The programs, compiled and checked by the command line."""

    def __init__(self, fencepost, folder):
        self.fencepost, self.folder = fencepost, pathlib.Path(folder)

    def file_of(self, program):
        return self.folder / re.sub(r"\W", "_", program.name)

    def compile(self, program):
        command = [self.fencepost, "c++", "-std=c++20", "-O1", *INCLUDE,
                   f"-DBENCH_PROGRAM={program.type}", str(SOURCES / "as_it_is.cpp"), "-o",
                   str(self.file_of(program))]
        try:
            ended = subprocess.run(command, capture_output=True, text=True)
        except OSError as wrong:
            base.die(2, f"{self.fencepost}: {wrong.strerror}")
        if ended.returncode != 0:
            base.die(2, f"{program.name} does not compile:\n{ended.stdout}{ended.stderr}")

    def explore(self, program):
        results = self.folder / "result.json"
        results.unlink(missing_ok=True)
        try:
            ended = base.run([self.fencepost, "check", "--json", str(results),
                              str(self.file_of(program))])
            if ended.status != 0:
                base.die(1, f"{program.name}: {ended.output.strip() or f'exit status {ended.status}'}")
            found = json.loads(results.read_text())["result"]
            return {"executions": found["executions"], "blocked": found["blocked"],
                    "seconds": ended.seconds, "peak_kib": ended.peak_kib, "times": 1}
        except (OSError, base.Failed, ValueError, KeyError) as wrong:
            base.die(2, f"{self.fencepost} check {program.name}: {wrong!r}")


def measure(programs, scenarios, as_they_are, repetitions):
    """Returns the runs of each program: as a scenario, and unmodified."""
    runs = {program.name: ([], []) for program in programs}
    for program in programs:
        print(f"compiles {program.name}", file=sys.stderr)
        as_they_are.compile(program)
    for program in programs[1:]:
        scenarios.calibrate(program)
    for repetition in range(1, repetitions + 1):
        for program in programs:
            print(f"repetition {repetition} of {repetitions}: {program.name}", file=sys.stderr)
            for explorer, found in zip((scenarios, as_they_are), runs[program.name]):
                found.append(explorer.explore(program))
    return runs


def rows_of(programs, runs):
    fixed = [base.fixed_seconds(side) for side in runs[programs[0].name]]
    rows = []
    for program in programs[1:]:
        try:
            one, other = (base.summary(side, seconds)
                          for side, seconds in zip(runs[program.name], fixed))
        except base.Failed as wrong:
            base.die(2, f"{program.name}: {wrong}")
        if one["executions"] != other["executions"]:
            base.die(1, f'{program.name}: {other["executions"]} executions of the program were explored, '
                   f'and {one["executions"]} of the scenario')
        rows.append({"name": program.name, "scenario": one, "program": other,
                     "ratio": one["executions_per_second"] / other["executions_per_second"]})
    return rows, fixed


def table(rows):
    lines = [["program", "executions", "scenario: executions/s", "as it is: executions/s",
              "times as long", "memory"]]
    for row in rows:
        speeds = [report.rounded(row[side]["executions_per_second"]) for side in ("scenario", "program")]
        lines.append([row["name"], f'{row["program"]["executions"]:,}', *speeds, f'{row["ratio"]:.2f}',
                      report.megabytes(row["program"]["peak_kib"])])
    mean = report.geometric_mean(rows)
    return report.markdown(lines) + f"\nGeometric mean of {len(rows)} programs: {mean:.2f} times as long.\n"


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--filter", default=".")
    parser.add_argument("--json")
    parser.add_argument("fencepost")
    parser.add_argument("program")
    options = parser.parse_args()
    if options.repetitions < 1:
        base.die(2, f'--repetitions: "{options.repetitions}" is not a number from 1 up')
    empty, *programs = (Program(*fields)
                        for fields in base.read_rows(SOURCES / "programs.txt", "NAME | TYPE"))
    programs = [empty, *base.chosen(programs, options.filter)]
    with tempfile.TemporaryDirectory() as folder:
        runs = measure(programs, base.Ours(options.program), AsTheyAre(options.fencepost, folder),
                       options.repetitions)
    rows, fixed = rows_of(programs, runs)
    print(table(rows), end="")
    if options.json:
        try:
            pathlib.Path(options.json).write_text(json.dumps(
                {"repetitions": options.repetitions, "fixed_seconds": fixed, "rows": rows},
                indent=1) + "\n")
        except OSError as wrong:
            base.die(2, f"{wrong.filename} cannot be written: {wrong.strerror}")


if __name__ == "__main__":
    main()
