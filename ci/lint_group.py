"""Looks at sources of one folder with clang-tidy, those that go together as one translation unit.

usage: lint_group.py [--alone] CONFIGURATION STAMP FLAGS SOURCE...

Most of clang-tidy's time goes into headers, which such a unit has once. Where something is found, or
the sources do not compile together (two have a function of one name), each half is looked at by
itself, so that what is printed is about one source. FLAGS is one word. At the end there is STAMP, and
what it depends on in STAMP.d.

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

OF_INCLUDED_SOURCES = [
    "--checks=-bugprone-suspicious-include",
    r"--header-filter=/(core|models|verify|stress|bench|docs)/.*\.[ch]pp$",
]
OF_THE_SOURCE_ITSELF = ["--checks=-*,clang-diagnostic-*,misc-unused-using-decls,misc-unused-alias-decls"]


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
    together.write_text("".join(f'#include "{source}"\n' for source in some))


def findings(some):
    if len(some) == 1:
        return found(some[0])
    write_together(some)
    if found(together, OF_INCLUDED_SOURCES):
        half = len(some) // 2
        return findings(some[:half]) + findings(some[half:])
    return ""


wrong = found(sources[0], OF_THE_SOURCE_ITSELF) if alone else findings(sources)
if wrong:
    sys.exit(wrong)
write_together(sources)
subprocess.run(["clang++", *flags, "-MM", "-MT", stamp, "-MF", f"{stamp}.d", together], check=True)
stamp.touch()
