"""The same answer, however it was given, leads to the same position with the same digest."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ziggurat.dsl.loading import load
from ziggurat.dsl.packs import Search
from ziggurat.runtime.game.game import start
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.programs import compile_ruleset

MANIFEST = """\
id = "answers"
title = "Answers"
version = "1"
players = "2"
"""
RULES = """\
kind spot place plural spots {}
spot hill "Hill" {}
spot wood "Wood" {}
attribute said of player: int = 0

phase talking {
  all players p at once {
    choose loud by p from {yes, no} "Loudly?"
    choose up to 2 tones by p from {yes, no} "Which tones?"
    may p sing "Sing" { add 1 to p.said }
    divide 2 shares among spots by p "Where?" allowing 0..2
    choose wait by p from 0..1 "How long?"
    if loud { add 1 to p.said }
    add size(tones) + wait to p.said
  }
}
phase shouting {
  players p act until done { add 1 to p.said }
}
action shout in shouting by p (loud from {yes, no} "Loudly?") {
  choose wait by p from 0..1 "How long?"
  if loud { add wait to p.said }
}
turn main { phases: talking, shouting }
"""


def compiled(folder: Path) -> Program:
    pack = folder / "answers"
    pack.mkdir()
    (pack / "pack.toml").write_text(MANIFEST, encoding="utf-8")
    (pack / "answers.rules").write_text(RULES, encoding="utf-8")
    linked = load("answers", Search((folder,)))
    assert linked.ruleset is not None, [(d.message, str(d.span)) for d in linked.diagnostics]
    return compile_ruleset(linked.ruleset)


def spellings(face: Any) -> Iterator[tuple[Any, list[Any]]]:
    """Answers to a decision as a program picks them, each with the ways to say it in words."""
    ask = face.pending.ask
    if ask is None:
        yield from (
            (("shout", (loud,)), [{"action": "shout", "args": [word]} for word in words])
            for loud, words in YES_AND_NO
        )
    elif face.kind == "divide":
        hill, wood = ask.options
        yield {hill: 2, wood: 0}, [{"hill": 2}, {"wood": 0, "hill": 2}]
        yield {hill: 1, wood: 1}, [{"wood": 1, "hill": 1}]
    elif face.several:
        yield (False, True), [["yes", "no"], [False, True], [1, 0]]
        yield from (((tone,), [[word] for word in words]) for tone, words in YES_AND_NO)
    elif face.prompt == "How long?":
        yield from ((wait, [wait, str(wait)]) for wait in ask.options)
    else:
        yield from YES_AND_NO


YES_AND_NO: list[tuple[Any, list[Any]]] = [(True, ["yes", True, 1]), (False, ["no", False, 0])]


def test_equal_answers_have_equal_digests(tmp_path: Path) -> None:
    """What a program picks, what is clicked and what is typed are the same answer."""
    game = start(compiled(tmp_path), 2)
    asked = []
    while len(asked) < 12:
        face = game.decisions[0]
        asked.append(face.path)
        for inner, said in spellings(face):
            picked = game.copy()
            picked.decide(0, inner)
            for word in said:
                typed = game.copy()
                typed.answer(word)
                assert typed.state == picked.state
                assert typed.digest == picked.digest, (face.path, word)
                assert typed.state.to_data() == picked.state.to_data()
        game = picked
    assert len(set(asked)) == 7
