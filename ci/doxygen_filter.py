#!/usr/bin/env python3
"""doxygen_filter.py FILE: the header as Doxygen is to see it.

The headers have plain comments. What stands above a class, a function or a member becomes a comment
of Doxygen's, the opening comment that of the file and of the class that it is named after; drawings and tables in it stay as they are
written. Comments within functions stay what they are. Nothing in a comment is a command or a tag.
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
    """Follows the braces of the code: are we where declarations stand?"""

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
    """Lines of prose, and as they are those that are indented further."""
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
    """What the class that is defined here is: the opening comment of the file that is named after
    it, or what stands behind its brace."""
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
            block = []  # a comment on what follows as a whole, not on one declaration
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
