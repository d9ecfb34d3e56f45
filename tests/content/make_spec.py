"""Writes `spec.json`, what the tests know of the specification: ids, tables, no sentences.

`python -m tests.content.make_spec FOLDER`, where FOLDER holds the specification's chapters.
"""

import json
import re
import sys
from pathlib import Path

CHAPTERS = ("01-base-rules.md", "02-advances.md", "03-calamities.md", "09-mega.md")
ID = re.compile(r"\b(?:R-[0-9A-Z]+-\d+|[AC]-[a-z0-9-]+-\d+|[PDT]-\d\d|M-\d+)\b")


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def rules(folder: Path) -> list[str]:
    """The ids of rules, attributes, calamity lines, parameters, definitions and test vectors."""
    found: dict[str, None] = {}
    for chapter in CHAPTERS:
        for line in (folder / chapter).read_text(encoding="utf-8").splitlines():
            for name in ID.findall(line):
                found[name] = None
            begun = re.match(r"- \*\*(C-[a-z-]+)-1\*\*", line)
            for number in re.findall(r"\*\*-(\d)\*\*", line) if begun else ():
                found[f"{begun[1] if begun else ''}-{number}"] = None
    return sorted(found)


def expansion_rules(folder: Path) -> list[str]:
    """The ids of the Expansion Project: rules and calamities, advances, worked examples."""
    text = (folder / "06-expansion-project.md").read_text(encoding="utf-8")
    found = re.findall(r"\*\*(X-[A-Z]?\d+)", text) + re.findall(r"(?m)^\| (X-A\d+|XT-\d+)", text)
    return sorted(set(found))


def questions(folder: Path) -> list[str]:
    """The open questions about the two editions: not those of other expansions."""
    found = []
    for section in (folder / "07-open-questions.md").read_text(encoding="utf-8").split("\n## "):
        if section.startswith(("XP", "SB")):
            continue
        for line in section.splitlines():
            row = cells(line)
            if row[0].startswith("Q-") and not row[2].startswith(("XP", "SB")):
                found.append(row[0])
    return found


def expansion_questions(folder: Path) -> list[str]:
    """The open questions about the Expansion Project, and the one it shares with the editions."""
    text = (folder / "07-open-questions.md").read_text(encoding="utf-8")
    own = text.split("\n## XP")[1].split("\n## ")[0].splitlines()
    rows = [cells(line) for line in text.splitlines() if line.startswith("| Q-")]
    found = [row[0] for row in rows if row[2].startswith("XP") or row[2].endswith("XP")]
    return sorted({*found, *(cells(line)[0] for line in own if line.startswith("| Q-"))})


def matrix(folder: Path) -> list[list[str]]:
    """Advance, calamity, sign, number, role."""
    text = (folder / "02-advances.md").read_text(encoding="utf-8")
    lines = text.split("## Matrix advance")[1].splitlines()
    return [cells(line) for line in lines if line.startswith("| ")][1:]


def differences(folder: Path) -> dict[str, str]:
    """The rows of the comparison of the two editions, each with its class."""
    text = (folder / "04-edition-diff.md").read_text(encoding="utf-8").split("## Part B")[0]
    rows = [cells(line) for line in text.splitlines() if line.startswith("| DF-")]
    return {row[0]: row[2].replace("*", "") for row in rows}


def expansion_differences(folder: Path) -> dict[str, str]:
    """The rows of the comparison with the Expansion Project, each with its class. Tables without a
    column for it are of data (commodities, costs) or of what cards do."""
    text = (folder / "04-edition-diff.md").read_text(encoding="utf-8").split("## Part B")[1]
    found: dict[str, str] = {}
    for line in text.splitlines():
        row = cells(line)
        if row[0] in ("id", "calamity", "DF"):
            heads = row
        elif row[0].startswith("DF-"):
            attribute = "ref" in heads
            kind = row[heads.index("class")] if "class" in heads else "S" if attribute else "D"
            found[row[0].split()[0]] = kind.replace("*", "")
    return found


def main(folder: Path) -> None:
    made = {
        "rules": rules(folder),
        "expansion_rules": expansion_rules(folder),
        "questions": questions(folder),
        "expansion_questions": expansion_questions(folder),
        "matrix": matrix(folder),
        "differences": differences(folder),
        "expansion_differences": expansion_differences(folder),
    }
    lines = [f" {json.dumps(key)}: {_laid_out(value)}" for key, value in made.items()]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    (Path(__file__).parent / "spec.json").write_text(text, encoding="utf-8")


def _laid_out(value: list[object] | dict[str, str]) -> str:
    if isinstance(value, list) and isinstance(value[0], list):
        rows = ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in value)
        return f"[\n  {rows}\n ]"
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
