"""Writes a build.ninja that checks that each public header includes everything that it needs.

usage: header_units.py BUILD_FOLDER OUTPUT_FOLDER

BUILD_FOLDER has a compilation database in which CMake's targets
<library>_verify_interface_header_sets compile each header alone. Most of their time goes into
headers of the standard library. Here, a translation unit includes a row of headers of one library,
each of which includes the one before it, directly or not. So when the compiler comes to a header, it
has seen only what this header includes, and a header that lacks an include does not compile, just as
if it were alone. The flags, with their warnings, are those of the target. The number of rows is
minimal.

The headers of compat/ define macros with names of another library, so each has a unit of its own.
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
    """Yields the public headers that it includes unconditionally."""
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
    """Places the header before another one in a row, moving others if necessary (an augmenting path)."""
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
