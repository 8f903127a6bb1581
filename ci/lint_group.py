"""Runs clang-tidy on several sources as one translation unit.

usage: lint_group.py [--alone] CONFIGURATION STAMP FLAGS SOURCE...

Most of clang-tidy's time goes into headers, which such a unit includes only once. If something is
found, or if the sources do not compile together (two define a function of the same name), each half
is checked separately, so that each message is about one source. For sources that do not compile
together, the reason is printed, since checking them takes several times as long. FLAGS is one word.
At the end, STAMP exists, and STAMP.d lists its dependencies.

--alone checks one source of such a unit by itself: it must include everything that it needs, and
some checks ignore included files.
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

# Sources are included here, although they are no headers; and several of them may include a header
# that repeats its declarations, as <cassert> does.
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
    """Returns the findings of clang-tidy in the file, or ""."""
    run = subprocess.run(
        ["clang-tidy", "--quiet", f"--config-file={configuration}", *options, str(file), "--", *flags],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return "" if run.returncode == 0 else run.stdout


def write_together(some):
    """Writes the unit, with main() renamed in each source but the first."""
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
