#!/usr/bin/env python3
"""Runs the commands of the documentation: `check_commands.py REPTRACE [--ingest REPTRACE-INGEST]`.

Every fenced block of `sh` is run as it stands, the blocks of one page one after the other in a folder of their
own. There lie `recordings/` and `labels.csv` (the fixtures) and `chunks.ndjson` (a stream of one workout). Lines
that begin with `make` or `.ci/` are not run, since they build; their targets must exist. Of commands that
stand in a sentence, every subcommand and option must exist. A result that is shown must be what the program says.
Pictures must be what the programs draw.
The pages have at most `WORDS_AT_MOST` words, without code and without the figures that `tools/results.py` writes.
The blocks of docs/ingest.md need a server, which is built apart: with `--ingest` they alone are run.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RESULT = re.compile(r'^```json\n({"recording":".*?)^```$', re.MULTILINE | re.DOTALL)
NO_WORDS = re.compile(r"^```.*?^```$|^    .*?$|<!-- results.*?<!-- end -->|\]\([^)]*\)", re.MULTILINE | re.DOTALL)
WORDS_AT_MOST = 22_350
SOURCE = re.compile(r"`([A-Z]\w+/[\w/+]+\.swift)`")
INLINE = re.compile(r"`((?:reptrace |make |\.ci/)[^`\n]*)`")


def pages():
    names = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "fixtures/README.md", "Fuzz/README.md")]
    return [*names, *sorted((ROOT / "docs").glob("*.md"))]


def word_count():
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "python/README.md", *(ROOT / "docs").glob("*.md")]
    text = NO_WORDS.sub(" ", "\n".join(page.read_text() for page in pages))
    return sum(1 for word in text.split() if re.search(r"\w", word))


def known_commands(reptrace):
    """{("history", "list"): {"--output", …}} of every subcommand, by swift-argument-parser's own account."""
    found = {}

    def add(command, path):
        options = {"--help", "-h", "--version", "--generate-completion-script"}
        for argument in command.get("arguments", []):
            for name in argument.get("names", []):
                options.add(("-" if name["kind"] == "short" else "--") + name["name"])
        found[path] = options
        for one in command.get("subcommands", []):
            add(one, (*path, one["commandName"]))

    output = subprocess.run([reptrace, "--experimental-dump-help"], capture_output=True, text=True, check=True)
    add(json.loads(output.stdout)["command"], ())
    return found


def problem_of_mention(text, commands):
    """What is wrong with a command in a sentence, or nothing."""
    words = re.sub(r"[…\[\]|]|\.\.\.", " ", text).split()
    if words[0] == "make":
        targets = [word for word in words[1:] if "=" not in word]
        return next((f"no target {one}" for one in targets if not makes(one)), None)
    if words[0].startswith(".ci/"):
        return None if (ROOT / words[0]).exists() else "no such file"
    path = ()
    for word in words[1:]:
        if (*path, word) in commands:
            path = (*path, word)
        elif word.startswith("-") and word != "-" and not path:
            break
        elif path or word.startswith("-"):
            break
        elif word not in ("help",):
            return f"no command {word}"
        else:
            return None
    for option in (word.split("=")[0] for word in words if word.startswith("-") and word != "-"):
        if option not in commands[path]:
            return f"reptrace {' '.join(path)} has no option {option}"
    return None


def makes(target):
    return subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True).returncode == 0


INGEST = ROOT / "docs/ingest.md"


def check_ingest_page(reptrace, server):
    """Runs the blocks of docs/ingest.md in one shell: the server that the first one starts serves the others."""
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, PATH=f"{server.parent}:{reptrace.parent}:{os.environ['PATH']}", HOME=folder)
        shutil.copy(ROOT / "fixtures/recordings/deadlift-ndjson.ndjson", Path(folder) / "chunks.ndjson")
        script = "\n".join(["trap 'kill $(jobs -p) 2>/dev/null || true' EXIT", *BLOCK.findall(INGEST.read_text())])
        problem = problem_of_block(script, folder, environment)
    print(f"docs: ingest.md: {problem}" if problem else "the commands of docs/ingest.md ran")
    return 1 if problem else 0


def problem_of_block(script, folder, environment):
    """Runs a block but for what builds; what went wrong, or nothing."""
    lines = []
    for line in script.splitlines():
        command = line.split("#", 1)[0].strip() if line.lstrip().startswith(("make ", ".ci/")) else ""
        if command.startswith("make "):
            targets = [word for word in command.split()[1:] if "=" not in word]
            wrong = [one for one in targets if not makes(one)]
            if wrong:
                return f"no target {wrong[0]}"
        elif command:
            if not os.access(ROOT / command.split()[0], os.X_OK):
                return f"{command}: no such program"
        else:
            lines.append(line)
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", "\n".join(lines)], cwd=folder, env=environment,
                          capture_output=True, text=True, timeout=100, stdin=subprocess.DEVNULL)  # fmt: skip
    return None if done.returncode == 0 else f"status {done.returncode}\n{script}\n{done.stderr[-1000:]}"


def problem_of_result(shown, reptrace):
    """What a page shows of a result must be what the program says of that fixture, up to the dots."""
    shown = re.sub(r",?\s*…$", "", re.sub(r"\n\s*", "", shown.split("…")[0]).strip())
    name = re.match(r'{"recording":"([^"]+)"', shown).group(1)
    said = subprocess.run([reptrace, "process", name, "--output", "ndjson"], cwd=ROOT / "fixtures/recordings",
                          capture_output=True, text=True).stdout  # fmt: skip
    return None if said.startswith(shown.rstrip(", ")) else f"the result of {name} is now {said[:300]}"


def problem_of_picture(picture, program, *arguments):
    """A picture must be what a program draws."""
    with tempfile.NamedTemporaryFile(suffix=".svg") as drawn:
        subprocess.run([program, *arguments, drawn.name], cwd=ROOT, capture_output=True, check=True)
        if Path(drawn.name).read_text() == (ROOT / picture).read_text():
            return None
    return f"{picture} is no longer what this draws: {program} {' '.join(arguments)} {picture}"


def main():
    reptrace = Path(sys.argv[1]).resolve()
    if sys.argv[2:3] == ["--ingest"]:
        return check_ingest_page(reptrace, Path(sys.argv[3]).resolve())
    commands = known_commands(reptrace)
    wrong, ran, mentioned, shown_results = [], 0, 0, 0
    with tempfile.TemporaryDirectory() as base:
        environment = dict(os.environ, PATH=f"{reptrace.parent}:{os.environ['PATH']}", HOME=base, NO_COLOR="1")
        for page in pages():
            text, name = page.read_text(), page.relative_to(ROOT)
            blocks = BLOCK.findall(text) if page != INGEST else []
            folder = Path(base) / str(name).replace("/", "-")
            if blocks:
                shutil.copytree(ROOT / "fixtures/recordings", folder / "recordings")
                shutil.copy(ROOT / "fixtures/labels.csv", folder)
                shutil.copy(ROOT / "fixtures/recordings/deadlift-ndjson.ndjson", folder / "chunks.ndjson")
            for block in blocks:
                ran += 1
                problem = problem_of_block(block, folder, environment)
                if problem:
                    wrong.append(f"{name}: {problem}")
            for shown in RESULT.findall(text):
                shown_results += 1
                problem = problem_of_result(shown, reptrace)
                if problem:
                    wrong.append(f"{name}: {problem}")
            wrong += [f"{name}: no file Sources/{path}" for path in SOURCE.findall(text)
                      if not (ROOT / "Sources" / path).is_file()]  # fmt: skip
            for mention in INLINE.findall(text):
                mentioned += 1
                problem = problem_of_mention(mention, commands)
                if problem:
                    wrong.append(f"{name}: `{mention}`: {problem}")
    for problem in (
        problem_of_picture(
            "docs/lateral-raises.svg", reptrace, *"plot fixtures/recordings/raise-watch-iso8601 --width 860 -o".split()
        ),
        problem_of_picture("docs/counting.svg", "tools/counter_picture.py", str(reptrace)),
    ):
        if problem:
            wrong.append(problem)
    words = word_count()
    if words > WORDS_AT_MOST:
        wrong.append(f"the pages have {words} words, at most {WORDS_AT_MOST} are wanted")
    for line in wrong:
        print(f"docs: {line}", file=sys.stderr)
    print(f"{ran} blocks of commands ran, {mentioned} commands in sentences were looked up, {words} words, "
          f"{len(wrong)} wrong")  # fmt: skip
    return 1 if wrong or ran < 5 or shown_results < 1 else 0


if __name__ == "__main__":
    sys.exit(main())
