"""Write the golden files of broken packs anew: `python -m tests.dsl.regold`. Read the changes!"""

from pathlib import Path

from tests.dsl import packed
from tests.dsl.linked import BROKEN, base_for, link_text
from ziggurat.dsl.report_text import human_text


def cases() -> list[Path]:
    return sorted(BROKEN.glob("*.rules"))


def shown(case: Path) -> str:
    """What an author sees, the first time they check this file."""
    text = case.read_text(encoding="utf-8")
    return human_text(link_text(text, base_for(case.stem[:4])).diagnostics)


if __name__ == "__main__":
    for case in cases():
        case.with_suffix(".txt").write_text(shown(case), encoding="utf-8")
    for name in packed.cases():
        packed.golden(name).write_text(packed.shown(name), encoding="utf-8")
