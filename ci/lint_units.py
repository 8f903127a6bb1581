"""Writes a build.ninja that runs clang-tidy on every C++ file of a compilation database.

usage: lint_units.py ROOT DATABASE_FOLDER OUTPUT_FOLDER [--slice]

A unit is a group of source files with the same flags (see lint_group.py), from one folder in the case
of tests, benchmarks and examples; or one file that includes all headers of some libraries. (The
release build checks that each header compiles alone.) The flags of a file are those of the first
target that contains it. A file joins a unit that has more include folders and otherwise the same
flags. A unit is checked again when it, a file that it includes or .clang-tidy has changed. The target
"together" checks all units, the target "alone" each of their sources by itself.

The headers of compat/ define macros with names of another library, so they are not in these files:
the tests that include them are units.
"""
import json
import pathlib
import re
import shlex
import sys

root, database, output = (pathlib.Path(argument) for argument in sys.argv[1:4])
everything = "--slice" not in sys.argv[4:]


def beside(path):
    """True if the source belongs neither to the library nor to its tools."""
    return path.startswith(("bench/", "docs/")) or "/tests/" in path


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
        if everything or not beside(inside):
            flags_of.setdefault(pathlib.Path(file), flags)


def of_no_matter(flag):
    """True for a level of optimization, and for the macro that GoogleTest's targets add."""
    return flag.startswith("-O") or flag == "-DGTEST_HAS_PTHREAD=1"


def what_includes_more(flags, all_flags):
    """Returns those of all_flags that differ only by more include folders, or else the flags."""
    folders = {flag for flag in flags if flag.startswith("-I")}
    others = [flag for flag in flags if flag not in folders and not of_no_matter(flag)]
    for more in sorted(all_flags, key=lambda some: (len(some), some)):
        folders_of_more = {flag for flag in more if flag.startswith("-I")}
        rest = [flag for flag in more if flag not in folders_of_more and not of_no_matter(flag)]
        if rest == others and folders < folders_of_more:
            return what_includes_more(more, all_flags)
    return flags


output.mkdir(parents=True, exist_ok=True)
flags_of_headers = {tuple(flags_of[library]) for library in headers_of}
for library, headers in list(headers_of.items()):
    more = what_includes_more(tuple(flags_of[library]), flags_of_headers)
    goes_with = next(other for other in headers_of if tuple(flags_of[other]) == more)
    if goes_with != library:
        headers_of[goes_with] += headers_of.pop(library)
        del flags_of[library]
for library, headers in headers_of.items():
    text = "".join(f'#include "{header}"\n' for header in sorted(headers))
    if not library.exists() or library.read_text() != text:
        library.write_text(text)


# clang-tidy takes as long for the standard library as for some 25 sources; larger groups leave a core
# idle at the end.
MOST_TOGETHER = 35


def escaped(text):
    return str(text).replace("$", "$$").replace(" ", "$ ").replace(":", "$:")


units = {}  # sources, by name
flags_of_unit = {}
groups = {}  # sources, by flags and perhaps folder
for file, flags in sorted(flags_of.items()):
    if file.parent == output:
        units[file.name] = [file]
        flags_of_unit[file.name] = flags
    else:
        folder = file.parent if beside(file.relative_to(root).as_posix()) else None
        groups.setdefault((folder, tuple(flags)), []).append(file)
# Only for the library and its tools: tests may replace headers, so their include folders matter.
flags_of_others = {flags for folder, flags in groups if folder is None}
for flags in sorted(flags_of_others):
    more = what_includes_more(flags, flags_of_others)
    if more != flags:
        groups[None, more] = sorted(groups[None, more] + groups.pop((None, flags)))
for (_, flags), files in groups.items():
    # Makes as many groups as needed, whose sizes differ by at most one.
    parts = -(-len(files) // MOST_TOGETHER)
    for i in range(parts):
        some = files[i * len(files) // parts : (i + 1) * len(files) // parts]
        name = some[0].relative_to(root).as_posix() + (f" and {len(some) - 1} more" if some[1:] else "")
        units[name] = some
        flags_of_unit[name] = flags

lines = ["ninja_required_version = 1.5"]
for rule, option in ("together", ""), ("alone", "--alone "):
    lines += [
        f"rule clang_tidy_{rule}",
        f"  command = python3 {escaped(root)}/ci/lint_group.py {option}{escaped(root)}/.clang-tidy"
        " $out $flags $in",
        "  description = clang-tidy $name",
        "  depfile = $out.d",
        "  deps = gcc",
    ]
stamps = {"together": [], "alone": []}


def look_at(rule, name, sources, flags):
    stamp = output / f"{name.replace(' ', '_')}.{rule}"
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamps[rule].append(escaped(stamp))
    lines.extend([
        f"build {escaped(stamp)}: clang_tidy_{rule} {' '.join(map(escaped, sources))}"
        f" | {escaped(root)}/.clang-tidy {escaped(root)}/ci/lint_group.py",
        f"  name = {name.replace('$', '$$')}{', alone' if rule == 'alone' else ''}",
        f"  flags = {shlex.quote(shlex.join(flags)).replace('$', '$$')}",
    ])


for name, some in units.items():
    look_at("together", name, some, flags_of_unit[name])
    for source in some if len(some) > 1 else ():
        look_at("alone", source.relative_to(root).as_posix(), [source], flags_of[source])
lines += [f"build {rule}: phony {' '.join(all_of_it)}" for rule, all_of_it in stamps.items()]
(output / "build.ninja").write_text("\n".join(lines) + "\n")
