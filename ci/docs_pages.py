#!/usr/bin/env python3
"""docs_pages.py FOLDER SCENARIOS PAGE...

The checks of ci/docs --check that run no program. SCENARIOS is a file with the names of all
scenarios, one on each line; "-" omits the checks that need it.

- Each link leads to a file of the tree, and its anchor to a heading of that page.
- Every page is reached from docs/README.md in two clicks.
- Output of fencepost on a page is written by ci/docs, or is an excerpt that ci/docs compares with a
  run; a figure that no run produces would go stale.
- Each block of C++ or CMake is quoted from a file that a test compiles. Each line of shell is one
  that ci/docs tries, or names a script, preset, target or program of the tree.
- The pages of components have the same headings in the same order, with the required content below
  each; the events that they name are labels in the sources, and the scenarios exist.

Prints each finding on a line. Exit status: 0 there are none; 1 there are some.
"""
import functools
import itertools
import json
import pathlib
import re
import shlex
import sys
import unicodedata

ROOT = pathlib.Path(sys.argv[1]).resolve()
SCENARIOS = set() if sys.argv[2] == "-" else set(pathlib.Path(sys.argv[2]).read_text().split())
PAGES = [ROOT / page for page in sys.argv[3:]]
INDEX = ROOT / "docs/README.md"

# The headings of each page of docs/components, and what each section must contain.
HEADINGS = {
    "When to use it": r"(?m)^\*\*Not\*\* ",
    "Contract": r"",
    "Progress": r"(?i)wait-free|lock-free|obstruction-free|block",
    "Memory ordering": r"(?i)for any threads? X\b",
    "How it works": r"",
    "Claims": r"",
    "The orders, and why": r"",
    "Costs": r"\(\.\./benchmarks\.md(#[\w-]+)?\)",
    "Certificate": r"\(\.\./certificate\.md#[\w-]+\)",
}
LANGUAGES = {"cpp", "cmake", "sh", "text"}

failures = 0


def complain(page, line, what):
    global failures
    failures += 1
    print(f"{page.relative_to(ROOT)}:{line}: {what}")


@functools.cache
def lines_of(page):
    return page.read_text(encoding="utf-8").splitlines()


def prose(page):
    """The lines outside blocks of code, with their numbers."""
    fenced = False
    for number, line in enumerate(lines_of(page), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, line


@functools.cache
def anchors_of(page):
    """The anchors that GitHub derives from headings: lower case, words joined by hyphens."""
    anchors = set()
    for _, line in prose(page):
        heading = re.match(r"#+ +(.*?) *#*$", line)
        if not heading:
            continue
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).replace("`", "")
        kept = (c for c in text.lower()
                if c in " -_" or unicodedata.category(c)[0] in "LN")
        name = base = "".join(kept).replace(" ", "-")
        again = 0
        while name in anchors:
            again += 1
            name = f"{base}-{again}"
        anchors.add(name)
    return anchors


def links_of(page):
    """Yields the target of each link into the tree; complains about broken links."""
    for number, line in prose(page):
        plain = re.sub(r"`[^`]*`", lambda code: "`" * len(code[0]), line)
        for target in re.findall(r"\]\(([^)\s]+)\)", plain):
            if re.match(r"[a-z]+:", target) or target.startswith("../../actions/"):
                continue  # of the hosting service
            path, _, anchor = target.partition("#")
            file = (page.parent / path).resolve() if path else page
            if not file.exists() or not file.is_relative_to(ROOT):
                complain(page, number, f"the link leads to {target}, which does not exist")
            elif anchor and (file.suffix != ".md" or anchor not in anchors_of(file)):
                complain(page, number, f"{path or 'the page'} has no heading for #{anchor}")
            else:
                yield file


def check_links():
    reached = {INDEX} if INDEX in PAGES else set()
    links = {page: set(links_of(page)) for page in PAGES}
    for _ in range(2):
        reached |= {file for page in reached for file in links.get(page, ())}
    for page in PAGES:
        if page not in reached and page.is_relative_to(ROOT / "docs"):
            complain(page, 1, "docs/README.md does not lead here in two clicks")


@functools.cache
def presets():
    every = json.loads((ROOT / "CMakePresets.json").read_text())
    return {preset["name"] for kind in ("configurePresets", "testPresets")
            for preset in every.get(kind, ())}


@functools.cache
def built():
    """The names of the programs and tests that the build makes."""
    names = set()
    for file in ROOT.glob("**/CMakeLists.txt"):
        if (ROOT / "build") in file.parents:
            continue
        text = file.read_text()
        names |= set(re.findall(r"(?:add_executable|add_study|fencepost_test)\(\s*(\w+)", text))
        for loop in re.findall(r"foreach\(\w+ ([\w ]+)\)\s*add_executable\(\$", text):
            names |= set(loop.split())
    return names


def why_not_a_command(words):
    """Returns what is wrong with a line of shell, or None."""
    while words and re.match(r"[A-Z_]+=", words[0]):
        words = words[1:]
    if not words:
        return None
    program, arguments = words[0], words[1:]
    if program in ("fencepost", "gdb", "(gdb)"):
        return None  # ci/docs runs fencepost itself; gdb's own words are few
    if program.startswith("build/"):
        name = pathlib.PurePath(program).name
        return None if name in built() else f"no CMakeLists.txt makes {name}"
    if program.startswith("ci/") or program == "fencepost-cluster":
        script = ROOT / (program if "/" in program else f"verify/cli/cluster/{program}")
        if not script.is_file():
            return f"there is no {program}"
        usage = re.match(r"(?:#.*\n)+", script.read_text())[0]
        if "--" in arguments:  # what follows is for another program
            arguments = arguments[:arguments.index("--")]
        for option in arguments:
            if option.startswith("--") and not re.search(rf"{re.escape(option)}\b", usage) \
                    and program not in ("ci/verify", "ci/stress"):
                return f"{program} --help does not know {option}"
        return None
    if program in ("cmake", "ctest"):
        for option, value in zip(arguments, arguments[1:]):
            if option == "--preset" and value not in presets():
                return f"CMakePresets.json has no preset {value}"
            if option == "--target" and value not in built():
                return f"no CMakeLists.txt makes {value}"
        if "--preset" in arguments:
            return None
    return "is a command that no test runs; quote it from a file that a test runs"


def shows_a_run(page, begin):
    """True if the block below that line has a command of fencepost with its output."""
    block = itertools.takewhile(lambda line: not line.lstrip().startswith("```"),
                                lines_of(page)[begin:])
    shown = False
    for line in block:
        if re.match(r"\$ (build/release/bin/)?fencepost ", line):
            shown = True
        elif shown and line.strip() and not line.startswith(("$ ", "(gdb)", "#")):
            return True
    return False


def check_blocks(page):
    language = marker = None
    command = ""
    for number, line in enumerate(lines_of(page), 1):
        fence = re.match(r" *```(\S*)$", line)
        if language is None and fence:
            language, begin = fence[1], number
            before = lines_of(page)[number - 2] if number > 1 else ""
            marker = re.match(r"<!-- (quote|fencepost|example) .* -->$", before)
            marker_of_run = marker or re.match(r"<!-- excerpt (fencepost|example|check) .* -->$", before)
            if language not in LANGUAGES:
                complain(page, number, f'a block of "{language}": say which of '
                                       f'{", ".join(sorted(LANGUAGES))} it is')
            elif language == "text" and not marker_of_run and shows_a_run(page, number):
                complain(page, begin, "no command is given for this output of fencepost: put a line "
                                      "<!-- excerpt fencepost ARGUMENTS --> before it")
            elif language in ("cpp", "cmake") and not marker:
                complain(page, begin, "no test compiles this block: quote it, with a line "
                                      "<!-- quote FILE NAME --> before it and <!-- end --> after")
        elif fence:
            language = None
        elif not marker and (language == "sh" or language == "text" and line.startswith("$ ")):
            command += line.removeprefix("$ ").removesuffix("\\")
            if line.endswith("\\"):
                continue
            try:
                words = shlex.split(command, comments=True)
            except ValueError as error:
                complain(page, number, f"{command}: {error}")
                words = []
            command = ""
            while words:
                end = words.index("&&") if "&&" in words else len(words)
                why = why_not_a_command(words[:end])
                if why:
                    complain(page, number, f"{shlex.join(words[:end])}: {why}")
                words = words[end + 1:]
    if language is not None:
        complain(page, begin, "the block of code has no end")


@functools.cache
def labels():
    """The names of atomic accesses and fences: [name] at the beginning of a comment in core/."""
    return {name for file in ROOT.glob("core/**/*.hpp")
            for line in file.read_text().splitlines() if "//" in line
            for name in re.findall(r"\[([a-z][a-z0-9_.]*)\]", line)}


def check_events(page):
    """The first column of each table below "The orders, and why"."""
    inside = False
    for number, line in prose(page):
        if line.startswith("## "):
            inside = line == "## The orders, and why"
        elif inside and line.startswith("| `"):
            for name in re.findall(r"`([a-z][a-z0-9_.]*)`", line.split("|")[1].split(" (")[0]):
                if name not in labels():
                    complain(page, number, f"{name} is not a label of the sources in core/")


def check_scenarios(page):
    """The scenarios that the page names: with their folder anywhere, without it in tables of claims."""
    folders = {name.partition("/")[0] for name in SCENARIOS}
    short = {name.partition("/")[2] for name in SCENARIOS}
    claims = False
    for number, line in prose(page):
        for name in re.findall(r"`([a-z0-9_]+/[a-z0-9_]+)`", line):
            if name.partition("/")[0] in folders and name not in SCENARIOS:
                complain(page, number, f"there is no scenario {name}")
        cells = line.split("|")
        if line.startswith("| claim |") or not line.startswith("|"):
            claims = line.startswith("| claim | scenario |")
        elif claims:
            for name in re.findall(r"`([a-z0-9_]+)`", cells[2]):
                if name not in short:
                    complain(page, number, f"there is no scenario named {name}")


def check_component(page):
    sections, title = {}, None
    for line in lines_of(page):
        if line.startswith("## "):
            title = line[3:]
            sections[title] = ""
        elif title:
            sections[title] += line + "\n"
    if list(sections) != list(HEADINGS):
        wrong = [t for t in HEADINGS if t not in sections] + [t for t in sections if t not in HEADINGS]
        complain(page, 1, "the headings of a component's page are " + ", ".join(HEADINGS) +
                 "; " + (", ".join(wrong) + " should not differ" if wrong else "in this order"))
        return
    for heading, pattern in HEADINGS.items():
        if len(sections[heading].split()) < 8:
            complain(page, 1, f'"{heading}" is empty')
        elif not re.search(pattern, sections[heading]):
            complain(page, 1, f'nothing below "{heading}" matches {pattern}')


check_links()
for each in PAGES:
    check_blocks(each)
    if each.parent == ROOT / "docs/components":
        check_component(each)
        check_events(each)
        if SCENARIOS:
            check_scenarios(each)
sys.exit(failures > 0)
