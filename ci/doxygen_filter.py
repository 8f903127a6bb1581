#!/usr/bin/env python3
"""doxygen_filter.py FILE: prints the header with its plain comments turned into Doxygen's.

A comment above a class, a function or a member documents that declaration. The opening comment
documents the file, and the class that the file is named after; drawings and tables in it are kept
verbatim. Comments within functions stay plain. Doxygen's commands and HTML in comments are escaped.
"""
import pathlib
import re
import sys

SCOPE = re.compile(r"^\s*(inline\s+)?(namespace|class|struct|union|enum|extern|export)\b")


def without_templates(text):
    """Without "template <...>" and "requires ..." in front, which have the word class in them."""
    text = text.lstrip()
    while text.startswith("template"):
        depth = 0
        for at, c in enumerate(text):
            depth += (c == "<") - (c == ">" and text[at - 1] != "-")
            if c == ">" and depth == 0:
                text = text[at + 1:].lstrip()
                break
        else:
            return text
        text = re.sub(r"^requires\s.*?(?=\b(class|struct|auto|void|bool)\b)", "", text, flags=re.S)
    return text


class Scopes:
    """Follows the braces of the code: tells a scope of declarations from the body of a function."""

    def __init__(self):
        self.open, self.text = [], ""

    def declarations(self):
        return all(scope for scope, _ in self.open)

    def see(self, code):
        code = re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])+\'', '""', code)
        if code.startswith("#"):
            return
        for c in code + "\n":
            if c == "{":
                self.open.append((bool(SCOPE.match(without_templates(self.text))), self.text))
                self.text = ""
            elif c == "}" and self.open:
                _, before = self.open.pop()
                within = without_templates(before).startswith("template")  # a default argument
                self.text = before + "{}" if within else ""
            elif c == ";":
                self.text = ""
            else:
                self.text += c


def escaped(text):
    return re.sub(r"([\\@<>#&*_$%|~-])", r"\\\1", text) if "`" not in text else \
        "`".join(part if i % 2 else escaped(part) for i, part in enumerate(text.split("`")))


def documentation(lines, indent, opening):
    """Returns a comment for Doxygen, in which indented lines are verbatim."""
    out = [r"\file"] if opening else []
    verbatim = False
    for line in lines:
        drawn = line.startswith("  ")
        if drawn != verbatim and (drawn or line.strip()):
            out.append(r"\verbatim" if drawn else r"\endverbatim")
            verbatim = drawn
        out.append(line if verbatim else escaped(line))
    if verbatim:
        out.append(r"\endverbatim")
    return "".join(f"{indent}/// {line}\n" for line in out)


def said_of_class(lines, at, stem, opening):
    """Returns the description of the class that is defined here: the opening comment if the file is
    named after the class, or the comment behind its brace."""
    text = ""
    for line in lines[at:at + 12]:
        text += re.sub(r"//.*", "", line)
        rest = without_templates(text)
        if not rest.startswith("template") and re.search(r"[{;]", rest):
            break
    defined = re.match(r"(?:class|struct)\s+(?:alignas\(\w+\)\s+|\[\[\w+\]\]\s+)*(\w+)[^;]*\{",
                       rest, re.S)
    if not defined:
        return []
    if opening and defined[1] in (stem, f"basic_{stem}"):
        return opening
    behind = re.search(r"\{ +// (.*)", line)
    return [behind[1]] if behind else []


def main():
    path = pathlib.Path(sys.argv[1])
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    scopes, opening, block, indent = Scopes(), [], [], ""
    seen_code = False
    template = False  # a declaration has begun, and this line continues it

    def flush():
        nonlocal block, opening
        if block and not seen_code:
            opening = block
        if block:
            sys.stdout.write(documentation(block, indent, not seen_code))
        block = []

    for at, line in enumerate(lines):
        comment = re.match(r"( *)//(?: (.*))?$", line)
        if comment and scopes.declarations():
            indent = comment[1]
            block.append(comment[2] or "")
            continue
        if not line.strip() and block and seen_code:
            block = []  # a comment on a group of declarations, not on one
        begins = re.match(r" *(?=(template|class|struct)\b)", line)
        if begins and not template and scopes.declarations():
            said = said_of_class(lines, at, path.stem, opening)
            if said is opening or not block:
                sys.stdout.write(documentation(said + [""] * bool(block), begins[0], False))
        template = (template or bool(begins)) and not re.search(r"[{;]$", line.split("//")[0].rstrip())
        flush()
        seen_code = seen_code or bool(line.strip())
        code, _, said = line.rstrip("\n").partition("  // ")
        if said and scopes.declarations() and re.search(r"[;,]$", code.rstrip()):
            line = f"{code}  ///< {escaped(said)}\n"
        sys.stdout.write(line)
        scopes.see(re.sub(r"//.*", "", line))
    flush()


main()
