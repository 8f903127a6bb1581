"""Writes a build.ninja that compiles each public header, before any other that it does not include.

usage: header_units.py BUILD_FOLDER OUTPUT_FOLDER

BUILD_FOLDER has a compilation database with CMake's sources of one header each, of the targets
<library>_verify_interface_header_sets. Most of what those take goes into headers of the standard
library. A unit here is a row of headers of one library in which each includes, by some way, the one
before it: what is there when a header's turn comes is what it includes itself, so that one that does
not include all that it needs does not compile, as if it were alone. With the flags of that target,
warnings with them. There are as few rows as there can be.

The headers of compat/ define macros with the names of another library, and go with no others.
"""
import json
import os
import pathlib
import re
import shlex
import sys

database, output = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])

alone = re.compile(r"/(\w+)_verify_interface_header_sets/(.*\.hpp)\.cxx$")
directive = re.compile(r'\s*#\s*(?:(if|endif)|include\s+["<]([^">]+)[">])')

flags_of = {}  # by library
library_of = {}  # by header
for entry in json.loads((database / "compile_commands.json").read_text()):
    found = alone.search(entry["file"])
    if not found:
        continue
    library, header = found.groups()
    library_of[header] = library
    words = shlex.split(entry["command"])
    flags_of[library] = words[: words.index("-o")]
if not library_of:
    sys.exit(f"{database}: no header is compiled alone")


def includes(header):
    """Those that it includes under no condition."""
    folders = [word[2:] for word in flags_of[library_of[header]] if word.startswith("-I")]
    file = next(p for p in (pathlib.Path(f, header) for f in folders) if p.exists())
    depth = 0
    for line in file.read_text().splitlines():
        what = directive.match(line)
        if what and what.group(1):
            depth += 1 if what.group(1) == "if" else -1
        elif what and depth == 0 and what.group(2) in library_of:
            yield what.group(2)


included = {}  # by header: what it includes, directly or not


def all_included(header):
    if header not in included:
        included[header] = set()
        direct = set(includes(header))
        included[header] = direct.union(*map(all_included, direct))
    return included[header]


before = {}  # by header: the one before it in its row


def comes_before_another(header, asked):
    """Finds a header for it to come before, by having others come before something else."""
    for other in sorted(included):
        if header not in included[other] or library_of[header] != library_of[other] or other in asked:
            continue
        if "/compat/" in other:
            continue
        asked.add(other)
        if other not in before or comes_before_another(before[other], asked):
            before[other] = header
            return True
    return False


for header in library_of:
    all_included(header)
for header in sorted(library_of):
    comes_before_another(header, set())

lines = [
    "ninja_required_version = 1.5",
    "rule header",
    f"  command = {os.environ.get('CMAKE_CXX_COMPILER_LAUNCHER', '')} $compile -MD -MF $out.d -c $in -o $out",
    "  description = header $name",
    "  depfile = $out.d",
    "  deps = gcc",
]
for last in sorted(library_of.keys() - before.values()):
    row = [last]
    while row[0] in before:
        row.insert(0, before[row[0]])
    source = output / f"{last}.cpp"
    source.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(f'#include "{header}"\n' for header in row)
    if not source.exists() or source.read_text() != text:
        source.write_text(text)
    lines += [
        f"build {source}.o: header {source}",
        f"  name = {last}" + (f" and {len(row) - 1} that it includes" if len(row) > 1 else ""),
        "  compile = " + shlex.join(flags_of[library_of[last]]).replace("$", "$$"),
    ]
(output / "build.ninja").write_text("\n".join(lines) + "\n")
