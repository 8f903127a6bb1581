#!/usr/bin/env python3
"""bench_scan.py [--repetitions N] [--json FILE] [--plot FILE] PROGRAM DIRECTORY

Times docs/examples/directory_scan, find, fd and ripgrep on an existing tree, and prints a table of
medians. All of them have read the tree before. Each round runs each program once, in random order.
find prints nothing, fd searches for a pattern that no name matches, and ripgrep lists the files. A
program that is not installed is left out, with a message. --plot draws the speed of each program
relative to directory_scan with one thread, in SVG, with gnuplot; a bar is the median, and its error
bar extends from the slowest to the fastest round.

Exit status: 0; 1 a program failed, or directory_scan and find count different numbers of entries;
2 wrong usage, or gnuplot is not installed.
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
import time

parser = argparse.ArgumentParser(description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--repetitions", type=int, default=5)
parser.add_argument("--json", type=pathlib.Path)
parser.add_argument("--plot", type=pathlib.Path)
parser.add_argument("program")
parser.add_argument("directory")
given = parser.parse_args()
if not os.path.isdir(given.directory):
    parser.error(f"{given.directory} is not a directory")
if given.plot and not shutil.which("gnuplot"):
    parser.error("--plot: there is no gnuplot; install it")


def workers():
    counts = [1]
    while counts[-1] < os.cpu_count():
        counts.append(min(2 * counts[-1], os.cpu_count()))
    return counts


CANDIDATES = {"find": ["find", given.directory, "-mindepth", "1", "-false"]}
for n in workers():
    CANDIDATES[f"**directory_scan**, {n}"] = [given.program, "--workers", str(n), given.directory]
    if shutil.which("fdfind"):
        CANDIDATES[f"fd, {n}"] = ["fdfind", "-u", "-j", str(n), "^$", given.directory]
    if shutil.which("rg"):
        CANDIDATES[f"ripgrep, {n}"] = ["rg", "--files", "-uuu", "-j", str(n), given.directory]
for name in ("fdfind", "rg"):
    if not shutil.which(name):
        print(f"bench_scan.py: {name} is not installed, and is left out", file=sys.stderr)


def run(command):
    """Returns the elapsed time and the processor time in seconds, and the output."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    clock, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    # fd returns 1 if nothing matches.
    if done.returncode not in ((0, 1) if command[0] == "fdfind" else (0,)):
        sys.exit(f"bench_scan.py: {' '.join(command)}: exit status {done.returncode}")
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return clock, used, done.stdout


# Runs each program once, so that the tree is cached. The tree must not change meanwhile.
listed = subprocess.run(["find", given.directory, "-mindepth", "1", "-print0"],
                        stdout=subprocess.PIPE, check=True).stdout.count(b"\0")
for name, command in CANDIDATES.items():
    printed = run(command)[2].decode(errors="replace")
    if command[0] == given.program:
        counted = sum(map(int, re.findall(r"(\d+) (?:directories|files|symlinks|others)", printed)))
        if counted != listed:
            print(f"bench_scan.py: {name} counts {counted} entries, find {listed}", file=sys.stderr)
            sys.exit(1)

times = {name: [] for name in CANDIDATES}
for _ in range(given.repetitions):
    for name in random.sample(list(CANDIDATES), len(CANDIDATES)):
        times[name].append(run(CANDIDATES[name])[:2])

first = statistics.median(clock for clock, _ in times["**directory_scan**, 1"])
print(f"A tree of {listed:,} entries.\n")
print("| program, threads | time | shortest | processor time | entries/s | speed-up |")
print("| --- | ---: | ---: | ---: | ---: | ---: |")
results = []
for name, measured in times.items():
    clock, used = (statistics.median(each) for each in zip(*measured))
    clocks = [each[0] for each in measured]
    results.append({"name": name, "seconds": clock, "shortest": min(clocks),
                    "longest": max(clocks), "processor": used})
results.sort(key=lambda each: each["seconds"])
for each in results:
    print(f"| {each['name']} | {1000 * each['seconds']:.0f} ms | {1000 * each['shortest']:.0f} ms | "
          f"{1000 * each['processor']:.0f} ms | {listed / each['seconds']:,.0f} | "
          f"{first / each['seconds']:.2f} |")
if given.json:
    given.json.write_text(json.dumps({"entries": listed, "results": results}, indent=1) + "\n")


def plot():
    bars = [f'{row} {first / each["seconds"]:.4f} {first / each["longest"]:.4f} '
            f'{first / each["shortest"]:.4f} "{each["name"].replace("*", "")}"'
            for row, each in enumerate(reversed(results))]
    most = max(first / each["shortest"] for each in results)
    script = [
        'set terminal svg size 640,%d noenhanced background "white" font "sans-serif,13"'
        % (110 + 34 * len(bars)),
        f'set title "A tree of {listed:,} entries on {os.cpu_count()} processors"',
        'set xlabel "times as fast as directory_scan with one thread"',
        f"set xrange [0:{1.15 * most:.2f}]", f"set yrange [-0.6:{len(bars) - 0.4:.1f}]",
        "set grid xtics", "set key off", "set style fill solid 0.6", "$bars << END", *bars, "END",
        "plot $bars using (0):1:(0):2:($1-0.3):($1+0.3):ytic(5) with boxxyerror linecolor 3, "
        "$bars using 2:1:3:4 with xerrorbars linecolor 'black' pointtype 0, "
        "$bars using 4:1:(sprintf('  %.2f', $2)) with labels left",
    ]
    drawn = subprocess.run(["gnuplot"], input="\n".join(script) + "\n", stdout=subprocess.PIPE,
                           text=True, check=True)
    given.plot.write_text(drawn.stdout)


if given.plot:
    plot()
