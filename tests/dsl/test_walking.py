"""What is derived from the descriptions of forms: walking, names, bodies, what is touched."""

import attrs
import pytest

from tests.dsl.linked import link_text
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.bodies import bodies, passages, values_of
from ziggurat.runtime.kernel.description import (
    CHANCE,
    FORMS,
    HOLDINGS,
    Touch,
    described,
    fields_of,
    the_attribute,
    the_pile,
)
from ziggurat.runtime.kernel.walking import asks, calls, free, reads, walk, writes

GAME = """
attribute gold of player: int = 0
attribute bets of player: int = 0
value worth(p: player): int = p.gold + (bonus(p) if p holds pottery else 0)
value bonus(p: player): int = size({x for x in players where x == p})
order richest(p: player) { gold: p.gold }
procedure tick(p: player) {
  let before = p.gold
  step rising { let later = before + 1 }
  set p.gold = later
  for each q in players where q.bets > before by richest {
    pick one at random from areas where it.limit > later
    stop if one is none
  }
}
rule ticking {
  after tick(p) { add 1 to p.bets }
  before playing { for each p in players { give pottery to p } }
}
phase playing {
  once {
    for each p in players {
      tick(p)
      choose n by p from {1, 2}
      set p.gold = n
    }
  }
}
"""


@pytest.fixture(scope="module")
def rules() -> ir.Ruleset:
    found = link_text(GAME)
    assert found.ruleset is not None, found.diagnostics
    return found.ruleset


def _is_of_rules(cls: type) -> bool:
    """What the linker keeps for itself cannot be compared."""
    ours = cls.__module__.startswith("ziggurat.dsl.forms.")
    return ours and attrs.has(cls) and cls.__eq__ is not object.__eq__


def test_every_class_of_the_ruleset_describes_itself() -> None:
    base = {ir.At, ir.Type, ir.Cite, ir.Meta, ir.Expr, ir.Stmt}
    classes = {one for one in vars(ir).values() if isinstance(one, type) and _is_of_rules(one)}
    forgotten = [one.__name__ for one in classes - base if one not in FORMS]
    assert forgotten == [], f"add `@form(…)` to {forgotten}"


def test_fields_that_are_described_exist() -> None:
    for cls, about in FORMS.items():
        names = {field.name for field in attrs.fields(cls)}
        said = {*about.binds, *about.it, *about.variants, *([about.uses] if about.uses else [])}
        said |= {field for where in about.binds.values() if where != ("after",) for field in where}
        assert said <= names, cls.__name__
        assert set(fields_of(cls)) <= names


def test_a_class_without_description_is_not_skipped_in_silence() -> None:
    @attrs.frozen
    class Forgotten:
        pass

    with pytest.raises(TypeError, match="Forgotten is no form"):
        list(walk((ir.Jump("stop"), Forgotten())))


def test_walk_goes_from_the_outside_in_as_written(rules: ir.Ruleset) -> None:
    names = [type(one).__name__ for one in walk(rules.procedures["tick"].body[:2])]
    assert names == ["Let", "AttrOf", "Local", "Step", "Let", "Op", "Local", "Lit"]
    assert "Procedure" in {type(one).__name__ for one in walk(rules.procedures)}


def test_free_names_know_what_is_bound_where(rules: ir.Ruleset) -> None:
    tick = rules.procedures["tick"]
    assert free(tick.body) == {"p"}
    assert free(tick.body[1:]) == {"p", "before"}
    assert free(tick.body[2:]) == {"p", "before", "later"}
    assert free(rules.values["bonus"].base) == {"p"}


def test_bodies_are_all_blocks_with_their_paths(rules: ir.Ruleset) -> None:
    found = {one.path: one for one in bodies(rules)}
    owners = {path: type(one.owner).__name__ for path, one in found.items()}
    assert owners["tick"] == "Procedure"
    assert owners["playing.1"] == "Stage"
    triggers = {path for path, owner in owners.items() if owner == "Trigger"}
    homes = {type(found[path].home).__name__ for path in triggers}
    assert homes == {"Procedure", "Phase"}
    assert all(isinstance(one.node, tuple) for one in found.values())


def test_passages_are_expressions_too(rules: ir.Ruleset) -> None:
    fields = {(one.path, one.field) for one in passages(rules)}
    assert {("worth", "base"), ("richest.gold", "base"), ("tick", "body")} <= fields


def test_what_is_touched_and_called(rules: ir.Ruleset) -> None:
    tick, playing = rules.procedures["tick"], rules.phases["playing"]
    assert writes(tick) == {the_attribute("player.gold"), the_attribute("player.bets"), CHANCE}
    assert HOLDINGS in writes(playing)
    assert reads(rules.values["worth"].base) == {the_attribute("player.gold"), HOLDINGS}
    assert asks(playing)
    assert not asks(tick)
    assert calls(tick.body) == [("order", "richest")]
    assert set(values_of(rules, tick)) == {"richest.gold"}
    assert set(values_of(rules, rules.values["worth"])) == {"bonus"}


def test_cards_that_are_put_leave_some_other_pile() -> None:
    stack = ir.PileRef("stack", None, ir.Type("pile"))
    put = ir.Put(ir.Local("c", ir.Type("card")), False, stack, "top")
    assert set(described(put).writes(put)) == {the_pile("stack"), the_pile()}
    assert reads(put) == {Touch("piles", "stack")}
