"""Looks at sources of one folder with clang-tidy, those that go together as one translation unit.

usage: lint_group.py [--alone] CONFIGURATION STAMP FLAGS SOURCE...

Most of clang-tidy's time goes into headers, which such a unit has once. Where something is found, or
the sources do not compile together (two have a function of one name), each half is looked at by
itself, so that what is printed is about one source; and of those that do not compile together, why
not, for it takes several times as long. FLAGS is one word. At the end there is STAMP, and what it
depends on in STAMP.d.

--alone looks at one source of such a unit by itself: it must include what it needs, and some checks look
at nothing that is included.
"""
import pathlib
import shlex
import subprocess
import sys

arguments = sys.argv[1:]
alone = arguments[0] == "--alone"
if alone:
    del arguments[0]
configuration, stamp = arguments[0], pathlib.Path(arguments[1])
flags = shlex.split(arguments[2])
sources = arguments[3:]
together = pathlib.Path(f"{stamp}.cpp")

# A source that is included is no header; and two sources may include headers that declare the same
# names, as <cassert> does each time.
OF_INCLUDED_SOURCES = [
    "--checks=-bugprone-suspicious-include,-google-global-names-in-headers,"
    "-readability-redundant-declaration",
    r"--header-filter=/(core|models|verify|stress|bench|docs)/.*\.[ch]pp$",
]
OF_THE_SOURCE_ITSELF = [
    "--checks=-*,clang-diagnostic-*,misc-unused-using-decls,misc-unused-alias-decls,"
    "google-global-names-in-headers,readability-redundant-declaration"
]


def found(file, options=()):
    """What clang-tidy says of the file, or nothing."""
    run = subprocess.run(
        ["clang-tidy", "--quiet", f"--config-file={configuration}", *options, str(file), "--", *flags],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return "" if run.returncode == 0 else run.stdout


def write_together(some):
    """Renames main() in every source but the first: each of several programs defines one."""
    others = (f'#define main main_{i}  // NOLINT\n#include "{source}"\n#undef main\n'
              for i, source in enumerate(some[1:], 2))
    together.write_text(f'#include "{some[0]}"\n' + "".join(others))


def findings(some):
    if len(some) == 1:
        return found(some[0])
    write_together(some)
    said = found(together, OF_INCLUDED_SOURCES)
    if not said:
        return ""
    half = len(some) // 2
    of_each_half = findings(some[:half]) + findings(some[half:])
    if not of_each_half:
        apart = next((line for line in said.splitlines() if "error:" in line), said)
        print(f"they do not compile together, so they are checked separately: {apart}", flush=True)
    return of_each_half


wrong = found(sources[0], OF_THE_SOURCE_ITSELF) if alone else findings(sources)
if wrong:
    sys.exit(wrong)
write_together(sources)
subprocess.run(["clang++", *flags, "-MM", "-MT", stamp, "-MF", f"{stamp}.d", together], check=True)
stamp.touch()
