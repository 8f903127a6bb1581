#!/usr/bin/env python3
"""The page of verify --html in a browser: at desktop and phone width, light and dark.

usage: page_in_browser.py PROGRAM [--pictures FOLDER] PATTERN...

PROGRAM verify PATTERN... writes the page. Faults are planted in copies of it, and must be found.
Exit status 77: no Chromium is there.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import browser

PROBE = r"""
window.probe = (() => {
  const at = (id) => document.getElementById(id);
  const run = JSON.parse(at('data').textContent);
  const visible = (e) => e.getClientRects().length > 0;
  const rgb = (text) => {
    const n = text.match(/[\d.]+/g).map(Number);
    return {r: n[0], g: n[1], b: n[2], a: n.length > 3 ? n[3] : 1};
  };
  const over = (top, bottom) => ({
    r: top.r * top.a + bottom.r * (1 - top.a), g: top.g * top.a + bottom.g * (1 - top.a),
    b: top.b * top.a + bottom.b * (1 - top.a), a: 1});
  const luminance = (c) => {
    const part = (v) => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
    return .2126 * part(c.r) + .7152 * part(c.g) + .0722 * part(c.b);
  };
  const ratio = (a, b) => {
    const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
    return (x + .05) / (y + .05);
  };
  const ground = (e) => {
    const layers = [];
    for (; e; e = e.parentElement) layers.push(rgb(getComputedStyle(e).backgroundColor));
    return layers.reverse().reduce((below, c) => over(c, below), {r: 255, g: 255, b: 255, a: 1});
  };
  // What is behind a text of the graph: its box, or the ground.
  const behind = (text) => {
    const rect = text.closest('.step')?.querySelector('rect') ||
        text.ownerSVGElement.querySelector('.ground');
    return over(rgb(getComputedStyle(rect).fill), ground(text.ownerSVGElement.parentElement));
  };
  // Text that cannot be read: less contrast than WCAG 2.1 AA asks for.
  const faint = () => {
    const all = [];
    const look = (what, colour, back) => {
      const r = ratio(over(colour, back), back);
      if (r < 4.5) all.push(what.slice(0, 40) + ': ' + r.toFixed(2));
    };
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node; (node = walk.nextNode());) {
      const e = node.parentElement;
      if (!node.data.trim() || !visible(e) || ['SCRIPT', 'STYLE', 'OPTION'].includes(e.tagName)) continue;
      const style = getComputedStyle(e);
      if (e.ownerSVGElement) {
        if (e.tagName === 'text' && !e.closest('.later')) look(node.data, rgb(style.fill), behind(e));
      } else {
        look(node.data, rgb(style.color), ground(e));
      }
    }
    for (const e of document.querySelectorAll('input')) {
      if (visible(e)) look('placeholder', rgb(getComputedStyle(e, '::placeholder').color), ground(e));
    }
    return [...new Set(all)];
  };
  // The boxes that are not ordered: whether they fit beside each other into the width of the pane,
  // in letters that can be read, and one of them is in sight.
  const pair = () => {
    const line = document.querySelector('#graph .edge.unordered[data-from]');
    if (!line) return null;
    const pane = at('graph').getBoundingClientRect();
    const boxes = [line.dataset.from, line.dataset.to].map((step) =>
        document.querySelector(`#graph .step[data-step="${step}"]`).getBoundingClientRect());
    const graph = line.ownerSVGElement;
    return {
      fits: boxes.every((box) => box.left >= pane.left - 1 && box.right <= pane.right + 1),
      scale: graph.getBoundingClientRect().width / graph.viewBox.baseVal.width,
      in_sight: boxes.some((box) => box.top >= Math.max(pane.top, 0) - 1 &&
          box.bottom <= Math.min(pane.bottom, innerHeight) + 1),
    };
  };
  return {
    run,
    faint,
    rows: () => [...at('rows').children].filter(visible).map((row) => row.querySelector('a').textContent),
    // A phone lays a page out as wide as it wants to be: the width is told.
    wide: (width) => [...document.querySelectorAll('body, body *')].filter((e) =>
        visible(e) && !e.closest('#graph, #code') && e.getBoundingClientRect().right > width + 1)
        .map((e) => e.tagName + '#' + e.id + '.' + e.className).slice(0, 3),
    sideways: (width) => document.documentElement.scrollWidth - width,
    light: () => luminance(ground(document.body)),
    // Scrolled to; the middle of what can be clicked, or null if something else is there.
    target: (e) => {
      e.scrollIntoView({block: 'nearest'});
      const box = e.getClientRects()[0];
      if (!box) return null;
      const x = box.left + box.width / 2, y = box.top + box.height / 2;
      const hit = document.elementFromPoint(x, y);
      return hit && (hit === e || e.contains(hit)) ? [x, y] : null;
    },
    state: () => {
      const link = getComputedStyle(document.querySelector('nav a')).color;
      const now = [...document.querySelectorAll('#graph .step.now')];
      const here = [...document.querySelectorAll('#code .here')];
      const pane = at('graph').getBoundingClientRect();
      const box = now[0]?.getBoundingClientRect();
      const top = Math.max(pane.top, 0), bottom = Math.min(pane.bottom, innerHeight);
      const line = here[0]?.getBoundingClientRect();
      const code = at('code').getBoundingClientRect();
      return {
        marked: [...document.querySelectorAll('#graph .step')].filter((e) =>
            getComputedStyle(e.querySelector('rect')).stroke === link).map((e) => Number(e.dataset.step)),
        now: now.map((e) => Number(e.dataset.step)),
        steps: [...document.querySelectorAll('#graph .step')].map((e) => Number(e.dataset.step)),
        later: [...document.querySelectorAll('#graph .step.later')].length,
        box_in_sight: Boolean(box) && box.top < bottom - 20 && box.bottom > top + 20 &&
            box.left < pane.right && box.right > pane.left,
        pair: pair(),
        file: visible(at('source')) ? at('file').textContent : '',
        here: here.map((e) => [Number(e.dataset.line), e.textContent]),
        line_in_sight: Boolean(line) && line.top < code.bottom && line.bottom > code.top,
        words: at('step').textContent,
      };
    },
  };
})();
"""

# What to break in a copy of the page, and a word of the complaint that must follow.
PLANTED = [
    ("filter", "the filter shows every row", "words.every((word) => s.text.includes(word))", "true"),
    ("choice", "the choice of verdicts does nothing", "at('which').value;", "'';"),
    ("rows", "a scenario is left out", "for (const s of run.scenarios) {\n    const row",
     "for (const s of run.scenarios.slice(1)) {\n    const row"),
    ("highlight", "no step is marked", "box.classList.toggle('now', i === now);", ""),
    ("highlight", "Next goes nowhere", "() => stepTo(now + 1));", "() => stepTo(now));"),
    ("highlight", "a step that is wrong is not marked", ".fp-graph .step.now.wrong rect", ".x"),
    ("pair", "the pair is out of sight", "    scrollTo(...pair);\n", ""),
    ("pair", "the graph is as wide as it is", "Math.min(scale, 1)", "Math.max(scale, 1)"),
    ("source", "the source stays where it was", "const here = code.children[place[1] - 1];",
     "const here = code.children[0];"),
    ("graph", "there is no graph", "at('graph').innerHTML = s.svg || '';", ""),
    ("console", "an error in a script", "'use strict';", "'use strict'; setTimeout(() => nothing.at.all);"),
    ("request", "a picture from elsewhere", "<body>",
     '<body><img alt="" src="http://fencepost.invalid/x.png">'),
    ("request", "a font of the disk", "<body>", '<body><link rel="stylesheet" href="other.css">'),
    ("sideways", "something wide", "<main id=\"list\">", '<main id="list"><p style="width: 1400px">wide</p>'),
    ("contrast", "pale words, light", "--faint: #59616a", "--faint: #a9b1ba"),
    ("contrast", "pale words, dark", "--faint: #9aa3ad", "--faint: #4a535d"),
    ("contrast", "a pale graph", ".fp-graph .faint { fill: #9aa3ad; }", ".fp-graph .faint { fill: #4a535d; }"),
    ("scheme", "no dark scheme", "@media (prefers-color-scheme: dark) {\n  :root",
     "@media (prefers-color-scheme: none) {\n  :root"),
]

VIEWS = [("desktop", 1280, 800, False), ("phone", 390, 844, True)]


class Found(Exception):
    """The complaint that was waited for."""


class Check:
    """One look at a page, in one view; until a complaint of the kind that is wanted, if one is."""

    def __init__(self, chromium, path, view, scheme, pictures=None, wanted=None):
        self.name, self.width, height, phone = view
        self.wanted = wanted
        self.scheme = scheme
        self.pictures = pictures
        self.path = path
        self.complaints = []
        self.page = browser.Page(chromium, self.width, height, phone, scheme)

    def complain(self, kind, what):
        self.complaints.append(f"{kind}: {what} ({self.name}, {self.scheme})")
        if kind == self.wanted:
            raise Found

    def hold(self, condition, kind, what):
        if not condition:
            self.complain(kind, what)
        return condition

    def click(self, selector, kind):
        place = self.page.evaluate(f"probe.target(document.querySelector({json.dumps(selector)}))")
        if self.hold(place, kind, f"{selector} cannot be clicked"):
            self.page.click(*place)
        return place

    def picture(self, what):
        if self.pictures:
            self.page.picture(self.pictures / f"{self.name}-{self.scheme}-{what}.png")

    def take(self):
        try:
            self.page.open(self.path.as_uri())
            self.page.evaluate(PROBE)
            self.run = self.page.evaluate("probe.run")
            self.quiet()
            self.table()
            self.filtered()
            for s in self.shown():
                self.scenario(s)
            self.quiet()
        except Found:
            pass
        except RuntimeError as error:
            self.complaints.append(f"console: {error} ({self.name}, {self.scheme})")
        self.page.close()
        return self.complaints

    def looks(self):
        """What holds of everything that is shown."""
        wide = self.page.evaluate(f"probe.wide({self.width})")
        over = self.page.evaluate(f"probe.sideways({self.width})")
        self.hold(not wide and over <= 0, "sideways", f"{over} pixels too wide: {wide}")
        faint = self.page.evaluate("probe.faint()")
        self.hold(not faint, "contrast", f"{len(faint)} texts, such as {faint[:3]}")
        light = self.page.evaluate("probe.light()")
        self.hold(light > 0.8 if self.scheme == "light" else light < 0.05, "scheme",
                  f"the ground has luminance {light:.2f}")

    def table(self):
        names = [s["name"] for s in self.run["scenarios"]]
        self.hold(self.page.evaluate("probe.rows()") == names, "rows",
                  "the table has not all scenarios in their order")
        self.looks()
        self.picture("table")

    def filtered(self):
        scenarios = self.run["scenarios"]
        word = next(s["name"].split("/")[1] for s in scenarios if s["result"] == "violated")
        wanted = [s["name"] for s in scenarios if all(
            word in (s["name"] + " " + s["claim"] + " " + s["verdict"]).lower() for word in [word])]
        self.click("#words", "filter")
        self.page.write(word[:-1].upper())
        self.page.write(word[-1])
        self.hold(self.page.evaluate("probe.rows()") == wanted and len(wanted) < len(scenarios),
                  "filter", f"{word} does not leave the {len(wanted)} that have it")
        self.hold(self.page.evaluate("document.getElementById('count').textContent") ==
                  f"{len(wanted)} of {len(scenarios)} scenarios", "filter", "the count is wrong")
        self.page.evaluate("""{
          const words = document.getElementById('words');
          words.value = '';
          words.dispatchEvent(new Event('input'));
        }""")
        for which in ("verified", "violated"):
            self.page.evaluate(f"""{{
              const which = document.getElementById('which');
              which.value = '{which}';
              which.dispatchEvent(new Event('input'));
            }}""")
            self.hold(self.page.evaluate("probe.rows()") ==
                      [s["name"] for s in scenarios if s["result"] == which],
                      "choice", f"'{which}' does not leave those")
        self.page.evaluate("""{
          const which = document.getElementById('which');
          which.value = '';
          which.dispatchEvent(new Event('input'));
        }""")

    def shown(self):
        """One that is violated, with the most steps; one with outcomes; one that is only verified."""
        violated = [s for s in self.run["scenarios"] if "svg" in s]
        yield max(violated, key=lambda s: len(s["places"]))
        yield from [s for s in self.run["scenarios"] if s["outcomes"]][:1]
        yield from [s for s in self.run["scenarios"] if s["result"] == "verified"][:1]

    def scenario(self, s):
        """Opened by a click in the table."""
        self.page.evaluate("location.hash = ''; new Promise((done) => setTimeout(done, 50))")
        link = f'#rows a[href="#{s["name"].replace("/", "%2F")}"]'
        if not self.click(link, "rows"):
            return
        self.page.evaluate("new Promise((done) => setTimeout(done, 50))")
        self.hold(self.page.evaluate("document.getElementById('name').textContent") == s["name"],
                  "open", f"{s['name']} does not open")
        text = self.page.evaluate("document.getElementById('detail').innerText")
        for part in ("claim", "message", "why", "which"):
            self.hold(s.get(part, "") in text, "open", f"{part} of {s['name']} is not shown")
        for row in s["outcomes"]:
            self.hold(all(cell in text for cell in row), "open", f"no outcome {row[0]}")
        self.looks()
        self.picture("scenario" if "svg" in s else "outcomes" if s["outcomes"] else "verified")
        if "svg" in s:
            self.steps(s)

    def steps(self, s):
        state = self.page.evaluate("probe.state()")
        steps = state["steps"]
        if not self.hold(len(steps) > 3, "graph", f"{s['name']} has {len(steps)} steps"):
            return
        self.hold(state["now"] == [steps[-1]] and state["later"] == 0, "highlight",
                  "it does not begin at the end")
        pair = state["pair"]
        self.hold(pair and pair["fits"] and pair["in_sight"] and pair["scale"] > 0.4, "pair",
                  f"it does not open at the pair that is not ordered: {pair}")
        self.click("#first", "highlight")
        self.at_step(s, steps, 0)
        for i in range(1, len(steps)):
            if i % 2:
                self.click("#next", "highlight")
            else:
                self.page.press("ArrowRight")
            self.at_step(s, steps, i)
            if i == len(steps) // 2:
                self.picture("step")
        self.click("#back", "highlight")
        self.at_step(s, steps, len(steps) - 2)
        self.click("#fit", "graph")
        self.looks()
        self.picture("fit")
        self.click("#fit", "graph")

    def at_step(self, s, steps, i):
        state = self.page.evaluate("probe.state()")
        self.hold(state["now"] == [steps[i]] == state["marked"] and state["later"] == len(steps) - 1 - i and
                  state["words"].startswith(f"{i + 1} of {len(steps)}: #{steps[i]} "),
                  "highlight", f"step {i + 1} of {len(steps)}: {state['now']} is marked")
        self.hold(state["box_in_sight"], "highlight", f"step {steps[i]} is out of sight")
        place = s["places"][steps[i]]
        if not place:
            return
        self.hold(state["file"] == f"{place[0]}:{place[1]}", "source",
                  f"{state['file']} beside step {steps[i]}, which is at {place}")
        lines = self.run["files"][place[0]]
        if lines:
            self.hold(state["here"] == [[place[1], lines[place[1] - 1] or " "]] and
                      state["line_in_sight"], "source",
                      f"line {state['here']} beside step {steps[i]}, which is at {place}")

    def quiet(self):
        """No errors, and nothing but the page itself was asked for."""
        self.page.evaluate("new Promise((done) => setTimeout(done, 50))")
        for e in self.page.said("Runtime.exceptionThrown"):
            self.complain("console", e["exceptionDetails"].get("exception", {}).get("description"))
        for e in self.page.said("Runtime.consoleAPICalled"):
            if e["type"] in ("error", "warning", "assert"):
                self.complain("console", f"{e['args']}")
        for e in self.page.said("Log.entryAdded"):
            if e["entry"]["level"] in ("error", "warning"):
                self.complain("request" if "Security Policy" in e["entry"]["text"] else "console",
                              e["entry"]["text"])
        for e in self.page.said("Network.requestWillBeSent"):
            url = e["request"]["url"]
            if url.split("#")[0] != self.path.as_uri() and not url.startswith("data:"):
                self.complain("request", url)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("patterns", nargs="+")
    arguments.add_argument("--pictures", type=pathlib.Path)
    arguments = arguments.parse_args()
    path = browser.find()
    if path is None:
        print("SKIP: no Chromium (Debian: chromium)")
        return 77
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "page.html"
        written = subprocess.run([arguments.program, "verify", *arguments.patterns, "--html", page],
                                 stdout=subprocess.DEVNULL, check=False)
        if written.returncode not in (0, 1):
            print(f"FAIL: verify --html ended with {written.returncode}")
            return 1
        text = page.read_text()
        chromium = browser.Browser(path)
        try:
            for view in VIEWS:
                for scheme in ("light", "dark"):
                    failures += Check(chromium, page, view, scheme, arguments.pictures).take()
            for kind, what, old, new in PLANTED:
                failures += planted(chromium, page.with_name("faulty.html"), text, kind, what, old, new)
        finally:
            chromium.close()
    for failure in failures:
        print("FAIL:", failure)
    print("all as expected" if not failures else f"{len(failures)} failures")
    return 1 if failures else 0


def planted(chromium, path, text, kind, what, old, new):
    """A complaint, if the fault is not found."""
    if old not in text:
        return [f"planted: the page has no {old!r}: {what} cannot be planted"]
    path.write_text(text.replace(old, new))
    view, scheme = VIEWS[1], "dark" if "dark" in what or "dark" in old or "9aa3ad" in old else "light"
    found = Check(chromium, path, view, scheme, wanted=kind).take()
    if any(complaint.startswith(kind + ":") for complaint in found):
        return []
    return [f"planted: {what}: not found; found was {found[:2]}"]


sys.exit(main())
