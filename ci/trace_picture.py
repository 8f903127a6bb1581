#!/usr/bin/env python3
"""trace_picture.py [--from MS] [--to MS] [--title TEXT] TRACE

Draws a trace in Chrome's format, as write_chrome_trace() writes it, in SVG, to standard output. Each
thread has a row, with a box for each event that has a duration; nested events are below the events
that enclose them. A triangle that points down is a steal, one that points up is a wake.

  TRACE         the trace, a JSON file
  --from, --to  the range to show, in milliseconds since the first event (default: everything)
  --title       the title of the picture (default: the name of the file)

Exit status: 0; 2 wrong usage, or no trace.
"""
import argparse
import html
import json
import math
import sys

WIDTH, LEFT, RIGHT, TOP, BOX, GAP = 1000, 96, 16, 64, 16, 10
COLOURS = {"task": "#4c78a8", "span": "#9ecae9", "wait": "#f58518", "park": "#dddddd"}
TEXTS = {"task": "white", "span": "black", "wait": "black", "park": "#666666"}
MOMENTS = {"steal": "#d62728", "wake": "#2ca02c"}
LETTER = 6.2  # the average width of a letter


def die(why):
    print(f"trace_picture.py: {why}", file=sys.stderr)
    sys.exit(2)


def events_of(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)["traceEvents"]
    except OSError as error:
        die(f"{path}: {error.strerror}")
    except (ValueError, KeyError, TypeError):
        die(f"{path} is no trace: it should be an object with a list, traceEvents")


class Thread:
    """One thread, and its events by depth; times in milliseconds."""

    def __init__(self, name):
        self.name = name
        self.boxes = []  # [depth, event, begin, end]
        self.moments = []
        self.open = []

    def add(self, event):
        time = event["ts"] / 1000
        if event["ph"] == "B":
            self.boxes.append([len(self.open), event, time, time])
            self.open.append(self.boxes[-1])
        elif event["ph"] == "E":
            self.open.pop()[3] = time
        else:
            self.moments.append((event, time))

    def height(self):
        return BOX * (1 + max((box[0] for box in self.boxes), default=0))


def threads_of(events):
    threads = {}
    for event in events:
        key = event["pid"], event["tid"]
        if event["ph"] != "M":
            threads[key].add(event)
        elif event["name"] == "thread_name":
            threads[key] = Thread(event["args"]["name"])
    return list(threads.values())


def text(x, y, what, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{html.escape(what)}</text>'


def ticks(first, last):
    """Yields at least eight round numbers, with their texts."""
    step, decimals = 1000.0, 0
    for step in (s * 10.0 ** e for e in range(4, -7, -1) for s in (5, 2, 1)):
        if (last - first) / step >= 8:
            break
    while round(step, decimals) != step and decimals < 6:
        decimals += 1
    for number in range(math.ceil(first / step), math.floor(last / step) + 1):
        yield number * step, f"{number * step:.{decimals}f}"


def picture(threads, first, last, title):
    def x(milliseconds):
        at = LEFT + (milliseconds - first) / (last - first) * (WIDTH - LEFT - RIGHT)
        return min(max(at, LEFT), WIDTH - RIGHT)

    out, y = [], TOP
    for thread in threads:
        out.append(text(LEFT - 8, y + 12, thread.name, 'text-anchor="end"'))
        for depth, event, begin, end in thread.boxes:
            if end < first or begin > last:
                continue
            kind = event["cat"] if event["cat"] in COLOURS else "span"
            left, width = x(begin), x(end) - x(begin)
            top = y + BOX * depth
            out.append(f'<rect x="{left:.1f}" y="{top}" width="{max(width, 0.5):.1f}" height="{BOX - 1}" '
                       f'fill="{COLOURS[kind]}"><title>{html.escape(event["name"])}: '
                       f'{(end - begin) * 1000:.1f} µs</title></rect>')
            letters = int((width - 4) / LETTER)
            if letters >= len(event["name"]):
                out.append(text(left + 3, top + 11.5, event["name"], f'fill="{TEXTS[kind]}"'))
        for event, at in thread.moments:
            if first <= at <= last and event["cat"] in MOMENTS:
                out.append(triangle(x(at), y, event["cat"]))
        y += thread.height() + GAP
    for at, label in ticks(first, last):
        out.insert(0, f'<path d="M{x(at):.1f} {TOP - 8}V{y}" stroke="#eeeeee"/>')
        out.append(text(x(at), y + 14, label, 'text-anchor="middle"'))
    out.append(text(WIDTH - RIGHT, y + 30, "milliseconds", 'text-anchor="end"'))
    return head(y + 40, title) + out + ["</svg>"]


def triangle(x, y, kind):
    top, tip = (y - 7, y) if kind == "steal" else (y, y - 7)
    return f'<path d="M{x - 3.5:.1f} {top}H{x + 3.5:.1f}L{x:.1f} {tip}Z" fill="{MOMENTS[kind]}"/>'


def head(height, title):
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
           f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="11">',
           f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
           text(LEFT, 18, title, 'font-weight="bold" font-size="13"')]
    left = LEFT
    for kind, colour in COLOURS.items():
        out.append(f'<rect x="{left}" y="28" width="12" height="12" fill="{colour}"/>' + text(left + 17, 38, kind))
        left += 70
    for kind in MOMENTS:
        out.append(triangle(left + 5, 38, kind) + text(left + 14, 38, kind))
        left += 70
    return out


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("--from", dest="first", type=float)
    parser.add_argument("--to", dest="last", type=float)
    parser.add_argument("--title", default="")
    parser.add_argument("trace")
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(__doc__.strip())
        return
    parser.error = lambda why: die(f"{why}; see trace_picture.py --help")
    wanted = parser.parse_args()
    threads = threads_of(events_of(wanted.trace))
    ends = [end for thread in threads for *_, end in thread.boxes]
    if not ends:
        die(f"{wanted.trace} has no event that lasts")
    first = wanted.first if wanted.first is not None else 0
    last = wanted.last if wanted.last is not None else max(ends)
    if first >= last:
        die(f"nothing lies between {first} and {last} ms")
    print("\n".join(picture(threads, first, last, wanted.title or wanted.trace)))


main()
