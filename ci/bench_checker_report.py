"""The table and the plot of bench_checker.py."""
import math

ROW_TARGET, MEAN_TARGET = 10, 15  # times GenMC: each program, and the geometric mean


def geometric_mean(rows):
    ratios = [row["ratio"] for row in rows if "ratio" in row]
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None


def rounded(value):
    """Returns the value with three significant digits, in groups of three."""
    step = 10 ** max(0, math.floor(math.log10(value)) - 2) if value >= 1 else 1
    return f"{round(value / step) * step:,.0f}"


def times(ratio):
    return f"{ratio:.1f}" if ratio < 9.95 else f"{ratio:.0f}"


def megabytes(kib):
    return f"{kib * 1024 / 1e6:.1f} MB" if kib else ""


def cells(side):
    if side is None:
        return [""] * 4
    return [f'{side["executions"]:,}', f'{side["blocked"]:,}', rounded(side["executions_per_second"]),
            megabytes(side["peak_kib"])]


def markdown(lines):
    """Rows of cells as a table whose columns line up: the first to the left, the others to the right."""
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]

    def one(line):
        padded = [line[0].ljust(widths[0])]
        padded += [cell.rjust(width) for cell, width in zip(line[1:], widths[1:])]
        return "| " + " | ".join(padded) + " |\n"

    rule = ["-" * widths[0]] + ["-" * (width - 1) + ":" for width in widths[1:]]
    return one(lines[0]) + one(rule) + "".join(map(one, lines[1:]))


def table(measured):
    rows, genmc = measured["rows"], measured["genmc"]
    head = ["program", "executions", "blocked", "executions/s", "memory"]
    if genmc:
        head += [f"GenMC {genmc}: executions", "blocked", "executions/s", "memory", "times"]
    lines = [head]
    for row in rows:
        line = [row["name"], *cells(row.get("ours"))]
        if genmc:
            theirs = cells(row.get("genmc"))
            if "genmc" in row and row["genmc"]["executions"] != row["ours"]["executions"]:
                theirs[0] = "≠ " + theirs[0]
            line += theirs + [times(row["ratio"]) if "ratio" in row else "failed"]
        lines.append(line)
    return markdown(lines) + "".join(f"\n{note}\n" for note in notes(measured))


def notes(measured):
    rows, fixed = measured["rows"], measured["fixed_seconds"]
    each = [f"{seconds * 1000:.0f} ms" for seconds in fixed]
    text = f"Fixed cost, subtracted: {each[0]}"
    yield text + (f" here, {each[1]} of GenMC." if measured["genmc"] else ".")
    for row in rows:
        if "failure" in row:
            yield f'{row["name"]}: {row["failure"]}.'
    if measured["geometric_mean"] is None:
        return
    compared = [row for row in rows if "ratio" in row]
    yield (f'Geometric mean of {len(compared)} programs: {times(measured["geometric_mean"])} '
           f"(target: {MEAN_TARGET}).")
    below = [f'{row["name"]} ({times(row["ratio"])})' for row in compared if row["ratio"] < ROW_TARGET]
    yield f"Below {ROW_TARGET}: {', '.join(below)}." if below else f"All are at {ROW_TARGET} or above."


LEFT, RIGHT, TOP, LINE, WIDTH = 160, 80, 60, 22, 900
OURS, THEIRS = "#0072b2", "#e69f00"  # Okabe and Ito: most eyes can tell them apart


def plot(measured):
    """Executions a second of each program, on a logarithmic scale: a dot for each checker."""
    rows = [row for row in measured["rows"] if "ours" in row]
    rates = [row[side]["executions_per_second"] for row in rows for side in ("ours", "genmc") if side in row]
    low = math.floor(math.log10(min(rates, default=1)))
    high = max(low + 1, math.ceil(math.log10(max(rates, default=10))))
    bottom = TOP + LINE * len(rows)

    def x(rate):
        return LEFT + (math.log10(rate) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    def text(left, top, what, more=""):
        return f'<text x="{left:.1f}" y="{top:.1f}" {more}>{what}</text>'

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{bottom + 40}" '
           'font-family="sans-serif" font-size="13">',
           f'<rect width="{WIDTH}" height="{bottom + 40}" fill="white"/>',
           text(LEFT, 20, "Complete executions a second of processor time", 'font-weight="bold"')]
    keys = [(OURS, "Fencepost")]
    if measured["genmc"]:
        keys.append((THEIRS, f'GenMC {measured["genmc"]}'))
    for number, (colour, name) in enumerate(keys):
        left = LEFT + 120 * number
        out.append(f'<circle cx="{left + 5}" cy="38" r="5" fill="{colour}"/>' + text(left + 16, 42, name))
    if measured["genmc"]:
        out.append(text(WIDTH - RIGHT + 12, 42, "times"))
    for power in range(low, high + 1):
        at = x(10 ** power)
        out.append(f'<path d="M{at:.1f} {TOP - 8}V{bottom}" stroke="#dddddd"/>' +
                   text(at, bottom + 18, f"{10 ** power:,}", 'text-anchor="middle"'))
    for number, row in enumerate(rows):
        y = TOP + LINE * number + 8
        out.append(text(LEFT - 12, y + 4, row["name"], 'text-anchor="end"'))
        ours = x(row["ours"]["executions_per_second"])
        if "genmc" in row:
            theirs = x(row["genmc"]["executions_per_second"])
            out.append(f'<path d="M{theirs:.1f} {y}H{ours:.1f}" stroke="#999999"/>')
            out.append(f'<circle cx="{theirs:.1f}" cy="{y}" r="5" fill="{THEIRS}"/>')
            out.append(text(WIDTH - RIGHT + 12, y + 4, times(row["ratio"])))
        out.append(f'<circle cx="{ours:.1f}" cy="{y}" r="5" fill="{OURS}"/>')
    return "\n".join(out) + "\n</svg>\n"
