"""Advice may look at what its decider sees, and at nothing else, by whatever way."""

import pytest

from tests.dsl.linked import link_text

WORDS = """
place purse of player secret uncounted { cards: deck_card }
place deck of table hidden { cards: deck_card }
place shelf of group hidden uncounted { cards: deck_card }
place market of table { cards: deck_card }
attribute plan of player secret: int = 0
attribute fate of table secret: int = 0
attribute mate of player: player or none = none
attribute marked of deck_card: bool = no
value woes_in(q: player): int = count(c in cards(hand(q)) where c is woe)
value worst(q: player, r: player): int = woes_in(q) + size(hand(r))
value of_group(some: set of player): int = sum(woes_in(q) for q in some)
value envy(q: player): int = 0
rule envious { modify envy(q) by +1 when q.plan > 2 }
order by_plan(q: player) { most: q.plan }
order by_fame(q: player) { most: q.fame }
order among(p: player, q: player) { mine: p.plan  theirs: q.fame }
action spy "Spy" in play by p (q from others(p), c from cards(hand(p))) { add 1 to q.fame }
"""
FINE = (
    "woes_in(p)", "size(hand(q))", "size(cards(hand(q)))", "p.plan", "size(purse(p))", "size(deck)",
    "1 if empty(purse(q)) else 2", "1 if empty(shelf(crafts)) else 2", "worst(p, q)",
    "of_group({p})", "sum(woes_in(r) for r in {p})", "envy(p)", "woes_in(one_of({p}))",
    "first(r in players by by_fame).fame", "woes_in(p if p.fame > 1 else p)",
    "first(r in players by among(p)).fame", "first(r in {p} by by_plan).fame", "c.price",
    "1 if c.marked else 0", "count(d in cards(market) where d is woe)", "q.mate.fame",
)  # fmt: skip
PEEPING = (
    "woes_in(q)", "worst(q, p)", "q.plan", "table.fate", "size(purse(q))", "size(shelf(crafts))",
    "1 if top(deck) is woe else 2", "1 if c in cards(hand(q)) else 0", "woes_in(p.mate)", "envy(q)",
    "of_group({p, q})", "of_group(players)", "sum(woes_in(r) for r in players where r is p)",
    "first(r in players by by_plan).fame", "first(r in players by among(q)).fame",
    "woes_in(p if p.fame > 1 else q)", "woes_in(left_of(p))", "woes_in(one_of({p, q}))",
    "count(d in cards(box) where d is woe)", "max(envy(r) for r in others(p))",
)  # fmt: skip


def codes(text: str) -> list[str]:
    return [one.code for one in link_text(WORDS + text).diagnostics if one.is_error]


@pytest.mark.parametrize("score", FINE)
def test_what_the_decider_sees_may_be_asked(score: str) -> None:
    assert codes(f"advice spy {{ prefer {score} }}") == []


@pytest.mark.parametrize("score", PEEPING)
def test_what_the_decider_does_not_see_may_not(score: str) -> None:
    assert set(codes(f"advice spy {{ prefer {score} }}")) == {"Z607"}
    assert set(codes(f"advice spy {{ prefer 1 when ({score}) > 0 }}")) == {"Z607"}


def test_rules_may_look_at_everything() -> None:
    assert (
        codes("action look in play by p (n from 1..woes_in(left_of(p))) { add n to p.fame }") == []
    )


# ---- pieces that lie covered

CLANS = """
kind clan owner plural clans { supply: troop -> int = {} }
kind troop piece in stock plural troops { supply: int = 3 }
clan elk "Elk" {}
troop axes "Axes" {}
troop riders "Riders" {}
attribute chief of clan: player or none = none
attribute rival of clan: clan or none = none
attribute hurt of clan secret: troop -> int { sees: leads }
attribute host of player: clan or none = none
value leads(p: player or none, c: clan): bool = c.chief is p
value looks(p: player or none, c: clan, a: area or none, t: troop): bool =
    c.chief is p or c.chief is none
value uppermost(c: clan, a: area): troop or none = first(t in troops where any(t of c in a))
value goes(c: clan, a: area or none, t: troop): bool = yes
cover fog of troop { sees: looks  top: uppermost  fits: goes }
value might(c: clan or none, a: area): int = sum(count(t of c in a) for t in troops)
value hurts(c: clan): int = sum(c.hurt[t] for t in troops)
value own_clans(q: player): set of clan = {c in clans where c.chief is q}
value some_clans(q: player): set of clan = {c in clans where c.chief is not q}
value mightier(c: clan, d: clan, a: area): bool = might(c, a) > might(d, a)
action raid "Raid" in play by p (c from clans, a from areas) { remove 1 troop of c from a }
"""
SEEN = (
    "count(troop of c in a)",
    "count(troop of clans on board)",
    "size(areas with troop of c)",
    "1 if uppermost(c, a) is axes else 0",
    "might(c, a) if c.chief is p else 0",
    "might(c, a) if p is c.chief else 0",
    "might(p.host, a) if p.host.chief is p else 0",
    "1 if c.chief is p and any(axes of c in a) else 0",
    "might(c, a) if c.chief is none else 0",
    "sum(might(d, a) for d in own_clans(p))",
    "sum(might(d, a) for d in clans where d.chief is p)",
    "hurts(c) if c.chief is p else 0",
    "might(c, a) if looks(p, c, a, axes) and c.chief is p else 0",
    "count(axes of c in stock) if c.chief is p else 0",
)
UNSEEN = (
    "might(c, a)",
    "count(axes of c in a)",
    "count(axes of c on board)",
    "size(areas with axes of c)",
    "might(c.rival, a) if c.chief is p else 0",
    "might(c, a) if p.fame > 1 else 0",
    "0 if c.chief is p else might(c, a)",
    "might(c, a) if c.chief is p or p.fame > 1 else 0",
    "sum(might(d, a) for d in some_clans(p))",
    "sum(might(d, a) for d in clans where d.chief is not p)",
    "hurts(c)",
    "c.hurt[axes]",
    "1 if c.chief is p and mightier(c, elk, a) else 0",
    "count(axes of clans in a)",
    "might(c, a) if c.chief is left_of(p) else 0",
    "sum(might(d, a) for d in own_clans(left_of(p)))",
)


@pytest.mark.parametrize("score", SEEN)
def test_of_covered_pieces_what_is_seen_may_be_asked(score: str) -> None:
    assert codes(f"{CLANS}advice raid {{ prefer {score} }}") == []


@pytest.mark.parametrize("score", UNSEEN)
def test_of_covered_pieces_no_more_may_be_asked(score: str) -> None:
    assert set(codes(f"{CLANS}advice raid {{ prefer {score} }}")) == {"Z607"}
    assert codes(f"{CLANS}advice raid {{ prefer 1 when ({score}) > 0 and c.chief is p }}")


def test_what_is_asked_when_a_condition_holds_knows_it() -> None:
    assert codes(f"{CLANS}advice raid {{ prefer might(c, a) when c.chief is p }}") == []
    forbidden = "rule shy { forbid looks(_p, _c, a, _t) when a.coast }\n"
    advice = "advice raid { prefer might(c, a) when c.chief is p }"
    assert codes(f"{CLANS}{forbidden}{advice}") == ["Z607"]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [("c.chief is p and p is not none", []), ("c.chief is p and c is elk", ["Z607"])],
)
def test_who_decides_is_somebody(condition: str, expected: list[str]) -> None:
    text = CLANS.replace("clan): bool = c.chief is p", f"clan): bool = {condition}")
    assert codes(f"{text}advice raid {{ prefer hurts(c) if c.chief is p else 0 }}") == expected
