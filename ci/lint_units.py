"""Writes a build.ninja that runs clang-tidy on each C++ file of a compilation database.

usage: lint_units.py ROOT DATABASE_FOLDER OUTPUT_FOLDER [--slice]

A unit is a source file of the tree, with the flags of the first target that has it, or one file that
includes all headers of a library (that each compiles alone is a matter of the release build). It is
looked at again when it, something that it includes or .clang-tidy has changed.

The headers of compat/ define macros with the names of another library, and go with no others: the
tests that include them are units.
"""
import json
import pathlib
import re
import shlex
import sys

root, database, output = (pathlib.Path(argument) for argument in sys.argv[1:4])
everything = "--slice" not in sys.argv[4:]
header_check = re.compile(r"/(\w+)_verify_interface_header_sets/(.*\.hpp)\.cxx$")

flags_of = {}  # of each unit
headers_of = {}  # of each library
for entry in json.loads((database / "compile_commands.json").read_text()):
    file = entry["file"]
    words = shlex.split(entry["command"])
    flags = []
    skip = False
    for word in words[1:]:
        if skip or word in ("-c", file) or word.endswith("ccache"):
            skip = False
        elif word == "-o":
            skip = True
        else:
            flags.append(word)
    if flags and not flags[0].startswith("-"):  # the compiler, after its launcher
        del flags[0]
    header = header_check.search(file)
    if header and "/compat/" in header.group(2):
        continue
    if header:
        library = output / (header.group(1) + ".cpp")
        headers_of.setdefault(library, []).append(header.group(2))
        flags_of.setdefault(library, flags)
    elif pathlib.Path(file).is_relative_to(root) and not pathlib.Path(file).is_relative_to(database):
        inside = pathlib.Path(file).relative_to(root).as_posix()
        beside = inside.startswith(("bench/", "docs/")) or "/tests/" in inside
        if everything or not beside:
            flags_of.setdefault(pathlib.Path(file), flags)

output.mkdir(parents=True, exist_ok=True)
for library, headers in headers_of.items():
    text = "".join(f'#include "{header}"\n' for header in sorted(headers))
    if not library.exists() or library.read_text() != text:
        library.write_text(text)


def escaped(text):
    return str(text).replace("$", "$$").replace(" ", "$ ").replace(":", "$:")


lines = [
    "ninja_required_version = 1.5",
    "rule tidy",
    f"  command = {{ clang-tidy --quiet --config-file={escaped(root)}/.clang-tidy $in -- $flags"
    " >$out.said 2>&1 || { cat $out.said; false; }; }"
    " && clang++ $flags -MM -MT $out -MF $out.d $in && touch $out",
    "  description = clang-tidy $name",
    "  depfile = $out.d",
    "  deps = gcc",
]
for unit, flags in flags_of.items():
    name = unit.relative_to(root if unit.parent != output else output).as_posix()
    stamp = output / (name + ".passed")
    stamp.parent.mkdir(parents=True, exist_ok=True)
    lines += [
        f"build {escaped(stamp)}: tidy {escaped(unit)} | {escaped(root)}/.clang-tidy",
        f"  name = {name.replace('$', '$$')}",
        f"  flags = {shlex.join(flags).replace('$', '$$')}",
    ]
(output / "build.ninja").write_text("\n".join(lines) + "\n")
