#!/usr/bin/env python3
"""Stores every measured figure of the documentation in one file, docs/results.json.

    tools/results.py            gathers new measurements, and writes the figures into the pages
    tools/results.py --check    fails if a figure in a page differs from the file

A measurement writes a page of Markdown: `make bench`, `make accuracy` and `make live` .build/results/NAME.md,
`make test-full` .build/test-full/NAME.md. Their tables are copied into the file, each under its title, with the
commit, the date and the machine. A page shows them between two marks:

    <!-- results: SECTION -->                        when, where and from what commit it was measured
    <!-- results: SECTION > TABLE -->                the table
    <!-- results: SECTION > TABLE > rows A; B -->    these rows of it; `columns A; B` likewise
    <!-- results: SECTION > TABLE > ROW > COLUMN --> one figure
    <!-- end -->

A row is identified by its first cell; `A | B` means the row that begins with both.
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "docs/results.json"
REGION = re.compile(r"(<!-- results: (.+?) -->)(.*?)(<!-- end -->)", re.DOTALL)
MEASURED = re.compile(r"Measured (\d{4}-\d\d-\d\d)(?: [\d:]+ UTC)? at commit (.+?)\.(?:\s|$)")
HELD = re.compile(r"^(\w+) at commit (.+?), (\d{4}-\d\d-\d\d).*$", re.MULTILINE)
#: Marks figures that do not depend on the machine, such as counts of the same recordings.
ANY_MACHINE = "any machine"


class ResultsError(Exception):
    """A mark names a figure that is not in the file."""


# Reading measurements


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def tables(markdown):
    """Returns {title: rows} of a page, beginning with a table's head; the title is the bold line or heading above."""
    found, title, rows = {}, "", []
    for line in [*markdown.splitlines(), ""]:
        if line.startswith("|"):
            if not set(line) <= set("|-: "):
                rows.append(cells(line))
            continue
        if rows:
            found.setdefault(title, rows)
            rows = []
        heading = re.match(r"#+ (.+)|\*\*(.+?)\*\*", line)
        if heading:
            title = (heading[1] or heading[2]).strip()
        elif title in found and line.startswith("All rows together"):
            title += ", all rows"
    return found


def section(markdown, machine=None):
    """Converts one measurement's page to an object of the file."""
    measured = MEASURED.search(markdown)
    if measured is None:
        raise ResultsError("a page of results does not say when and from which commit")
    stated = re.search(r"^- Machine: (.+?)(?:; load.*|\.)?$", markdown, re.MULTILINE)
    return {
        "date": measured[1],
        "commit": measured[2],
        "machine": machine or (stated[1] if stated else ANY_MACHINE),
        "tables": tables(markdown),
    }


def check_section(markdown):
    """Returns a long check's summary: its verdict and its text."""
    held = HELD.search(markdown)
    if held is None:
        raise ResultsError("a long check does not say whether it held, and at which commit")
    body = markdown[held.end():].strip()
    return {"verdict": held[1], "commit": held[2], "date": held[3], "text": body}


def gather(results, root=ROOT):
    """Copies every available page of results."""
    for page in sorted((root / ".build/results").glob("*.md")):
        results[page.stem] = section(page.read_text())
    checks = results.setdefault("checks", {})
    for page in sorted((root / ".build/test-full").glob("*.md")):
        checks[page.stem] = check_section(page.read_text())
    results["checks"] = dict(sorted(checks.items()))
    return results


# Writing the pages


def markdown(rows):
    head, *body = rows
    lines = ["|" + "|".join(head) + "|", "|" + "---|" * len(head)]
    lines += ["|" + "|".join(row + [""] * (len(head) - len(row))) + "|" for row in body]
    return "\n".join(lines)


def find(rows, key, mark):
    wanted = [part.strip() for part in key.split("|")]
    for row in rows[1:]:
        if row[: len(wanted)] == wanted:
            return row
    raise ResultsError(f"{mark}: there is no row {key}")


def column(rows, key, mark):
    if key not in rows[0]:
        raise ResultsError(f"{mark}: there is no column {key}")
    return rows[0].index(key)


def check_table(checks, root=ROOT):
    """Returns a table of all long checks, including those without a result."""
    rows = [["check", "verdict", "commit", "date"]]
    for name in sorted({*checks, *(program.name for program in (root / ".ci/full").iterdir())}):
        one = checks.get(name, {"verdict": "not run", "commit": "", "date": ""})
        rows.append([name, one["verdict"], one["commit"], one["date"]])
    return markdown(rows)


def region(results, mark):
    """Returns the text that a mark stands for."""
    name, *path = [part.strip() for part in mark.split(" > ")]
    if name not in results:
        raise ResultsError(f"{mark}: there is no section {name}")
    found = results[name]
    if name == "checks":
        if not path:
            return f"\n{check_table(found)}\n"
        if path[0] not in found:
            if not (ROOT / ".ci/full" / path[0]).exists():
                raise ResultsError(f"{mark}: there is no check {path[0]}")
            return "\nNot run.\n"
        one = found[path[0]]
        return f"\n{one['verdict'].capitalize()} at commit {one['commit']}, {one['date']}.\n\n{one['text']}\n"
    if not path:
        where = "; the same on every machine" if found["machine"] == ANY_MACHINE else f", on {found['machine']}"
        return f"Measured on {found['date']} at commit {found['commit']}{where}."
    if path[0] not in found["tables"]:
        raise ResultsError(f"{mark}: there is no table {path[0]}")
    rows = found["tables"][path[0]]
    for part in path[1:]:
        if part.startswith("rows "):
            rows = [rows[0]] + [find(rows, key, mark) for key in part.removeprefix("rows ").split(";")]
        elif part.startswith("columns "):
            keep = [column(rows, key.strip(), mark) for key in part.removeprefix("columns ").split(";")]
            rows = [[row[index] if index < len(row) else "" for index in keep] for row in rows]
        else:
            row = find(rows, path[-2], mark)
            return row[column(rows, path[-1], mark)].strip("*")
    return f"\n{markdown(rows)}\n"


def render(page, results):
    """Returns a page with the figures of the file between its marks."""
    return REGION.sub(lambda found: found[1] + region(results, found[2]) + found[4], page)


def pages(root=ROOT):
    return [root / "README.md", *sorted((root / "docs").glob("*.md"))]


def differences(root=ROOT):
    """Returns descriptions of all differences between the pages and the file."""
    results = json.loads((root / "docs/results.json").read_text())
    wrong = []
    for page in pages(root):
        text = page.read_text()
        if text.count("<!-- results:") != len(REGION.findall(text)):
            wrong.append(f"{page.name}: a mark without its end")
        try:
            for found in REGION.finditer(text):
                # Otherwise Markdown would treat the rest of the line as HTML.
                if "\n" not in found[3] and text[: found.start()].endswith("\n"):
                    wrong.append(f"{page.name}: {found[2]}: a figure at the beginning of a line")
                if found[3] != region(results, found[2]):
                    wrong.append(f"{page.name}: {found[2]}: the page and docs/results.json differ")
        except ResultsError as error:
            wrong.append(f"{page.name}: {error}")
    return wrong


def main():
    if sys.argv[1:] == ["--check"]:
        wrong = differences()
        for line in wrong:
            print(f"results: {line} (make results)", file=sys.stderr)
        return 1 if wrong else 0
    results = gather(json.loads(FILE.read_text()) if FILE.exists() else {})
    FILE.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    for page in pages():
        page.write_text(render(page.read_text(), results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
