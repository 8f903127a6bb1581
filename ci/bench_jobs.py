#!/usr/bin/env python3
"""bench_jobs.py [--repetitions N] [--jobs N,...] [--filter REGEX] [--json FILE] PROGRAM
bench_jobs.py --plot FILE JSON

Explores large scenarios with 1, 2, 4, ... processes, up to the number of processors, and prints a
table of medians: the elapsed time, the speed-up over one process, and the processor time. Each round runs
each scenario once with each number of processes, in random order.

  PROGRAM          the command line, fencepost
  --repetitions N  rounds (default 5)
  --jobs N,...     use these numbers of processes
  --filter REGEX   only the scenarios whose names match
  --json FILE      write all measurements to FILE
  --plot FILE      plot the speed-ups of an earlier --json in SVG, with gnuplot

Exit status: 0; 1 a scenario is not as expected, or its number of executions depends on the number
of processes; 2 wrong usage, or gnuplot is not installed.
"""
import argparse
import json
import os
import pathlib
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

# In one process these take some seconds, and the first a minute or two.
SCENARIOS = [
    "chase_lev/growth_larger",
    "worker_sleep/two_sleepers_larger",
    "frame_handshake/three_initiators_larger",
    "external_slots/two_submitters_and_two_workers_larger",
]


def die(status, why):
    print(f"bench_jobs.py: {why}", file=sys.stderr)
    sys.exit(status)


def powers_of_two(most):
    counts = [1]
    while counts[-1] < most:
        counts.append(min(2 * counts[-1], most))
    return counts


def numbers(text):
    counts = [int(each) for each in text.split(",")]
    if not counts or min(counts) < 1 or counts[0] != 1:
        raise ValueError
    return counts


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--jobs", type=numbers, default=powers_of_two(os.cpu_count()),
                        help="1 first")
    parser.add_argument("--filter", default=".")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--plot", type=pathlib.Path)
    parser.add_argument("program", metavar="PROGRAM or JSON")
    return parser.parse_args()


def explore(program, scenario, jobs):
    """Returns the elapsed time and the processor time in seconds, and the number of executions."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        done = subprocess.run(
            [program, "verify", scenario, "--nightly", "--jobs", str(jobs), "--json", str(report)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        clock, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0:
            die(1, f"{scenario} with {jobs} processes: exit status {done.returncode}\n{done.stdout}")
        executions = json.loads(report.read_text())["scenarios"][0]["result"]["executions"]
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"clock": clock, "processor": used, "executions": executions}


def measure(given):
    scenarios = [name for name in SCENARIOS if re.search(given.filter, name)]
    if not scenarios:
        die(2, f'--filter: no scenario\'s name matches "{given.filter}"')
    cases = [(scenario, jobs) for scenario in scenarios for jobs in given.jobs]
    runs = {case: [] for case in cases}
    for number in range(1, given.repetitions + 1):
        for scenario, jobs in random.sample(cases, len(cases)):
            if sys.stderr.isatty():
                print(f"round {number} of {given.repetitions}: {scenario}, {jobs}", file=sys.stderr)
            runs[scenario, jobs].append(explore(given.program, scenario, jobs))
    for scenario, jobs in cases:
        found = {each["executions"] for each in runs[scenario, jobs] + runs[scenario, 1]}
        if len(found) > 1:
            die(1, f"{scenario}: {' and '.join(map(str, sorted(found)))} executions")
    return {"processors": os.cpu_count(),
            "rows": [{"scenario": scenario, "jobs": jobs, "runs": runs[scenario, jobs]}
                     for scenario, jobs in cases]}


def summarized(measured):
    """Returns the medians of a row, and the smallest and largest speed-up of its runs."""
    alone = {}
    for row in measured["rows"]:
        clocks = [each["clock"] for each in row["runs"]]
        used = statistics.median(each["processor"] for each in row["runs"])
        clock = statistics.median(clocks)
        first, first_used = alone.setdefault(row["scenario"], (clock, used))
        yield {"scenario": row["scenario"], "jobs": row["jobs"],
               "executions": row["runs"][0]["executions"], "clock": clock, "used": used,
               "speedup": first / clock, "least": first / max(clocks), "most": first / min(clocks),
               "cost": used / first_used - 1}


def table(measured):
    lines = [["scenario", "executions", "processes", "time", "speed-up", "processor time", "more"]]
    for row in summarized(measured):
        one = row["jobs"] == 1
        lines.append([row["scenario"] if one else "", f'{row["executions"]:,}' if one else "",
                      str(row["jobs"]), f'{row["clock"]:.2f} s', f'{row["speedup"]:.2f}',
                      f'{row["used"]:.2f} s', "" if one else f'{100 * row["cost"]:+.0f} %'])
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    lines.insert(1, ["-" * widths[0]] + ["-" * (width - 1) + ":" for width in widths[1:]])
    for line in lines:
        cells = [line[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(line[1:], widths[1:])]
        print("| " + " | ".join(cells) + " |")


def plot(measured, file):
    if not shutil.which("gnuplot"):
        die(2, "--plot: there is no gnuplot; install it")
    blocks = {}
    for row in summarized(measured):
        blocks.setdefault(row["scenario"], []).append(
            f'{row["jobs"]} {row["speedup"]:.4f} {row["least"]:.4f} {row["most"]:.4f}')
    most = max(row["jobs"] for row in measured["rows"])
    script = [
        'set terminal svg size 640,480 enhanced background "white" font "sans-serif,13"',
        f'set title "One exploration on {measured["processors"]} processors"',
        'set xlabel "processes"', 'set ylabel "speed-up over one process"',
        f"set xrange [0:{most + 1}]", f"set yrange [0:{most + 1}]", "set grid",
        "set key left top Left reverse",
        "set xtics (" + ", ".join(str(n) for n in powers_of_two(most)) + ")",
    ]
    for number, (name, lines) in enumerate(blocks.items()):
        script += [f"$data{number} << END", *lines, "END"]
    drawn = ['x title "ideal" with lines linecolor "#999999" dashtype 2']
    for number, name in enumerate(blocks):
        drawn.append(f'$data{number} using 1:2:3:4 title "{name}" noenhanced '
                     f"with yerrorlines linestyle {number + 1} pointtype 7")
    script.append("plot " + ", ".join(drawn))
    drawn = subprocess.run(["gnuplot"], input="\n".join(script) + "\n", stdout=subprocess.PIPE,
                           text=True, check=True)
    file.write_text(drawn.stdout)


def main():
    given = arguments()
    if given.plot:
        plot(json.loads(pathlib.Path(given.program).read_text()), given.plot)
        return
    measured = measure(given)
    table(measured)
    if given.json:
        given.json.write_text(json.dumps(measured, indent=1) + "\n")


if __name__ == "__main__":
    main()
