"""What linked rules mean: names, types, clauses in the words of their values."""

import pytest

from tests.dsl.linked import codes, link_text
from ziggurat.dsl.linking.types import list_of, of_kind, optional, set_of
from ziggurat.dsl.printing.resolved import resolved
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel import AttrOf, FieldOf, Lit, Local, Loop, Op, Ruleset, ThingRef
from ziggurat.runtime.kernel.nodes import BOOL, INT, PLAYER


def linked(text: str) -> Ruleset:
    result = link_text(text)
    assert result.ruleset is not None, [found.message for found in result.diagnostics]
    return result.ruleset


def base_of(type_: str, expression: str, params: str = "p: player, a: area") -> ir.Expr:
    """The linked form of an expression, in sight of a player and an area."""
    return linked(f"value probe({params}): {type_} = {expression}").values["probe"].base


P = Local("p", PLAYER)
A = Local("a", of_kind("area"))


@pytest.mark.parametrize(
    ("type_", "written", "meant"),
    [
        ("int", "-3", Lit(-3, INT)),
        ("int", "p.fame", AttrOf(P, "player.fame", INT)),
        ("int", "round", AttrOf(None, "table.round", INT)),
        ("int", "table.round", AttrOf(None, "table.round", INT)),
        ("int", "p.rank", FieldOf(P, "nation", "rank", INT)),
        ("int", "a.limit", FieldOf(A, "area", "limit", INT)),
        ("nation or none", "p.nation", AttrOf(P, "player.nation", optional(of_kind("nation")))),
        ("bool", "long_game", ir.OptionRef("long_game", BOOL)),
        ("area", "north", ThingRef("area", "north", of_kind("area"))),
        ("owner", "wild", ir.OwnerRef("wild", ir.Type("owner"))),
        ("set of area", "areas", ir.All("area", set_of(of_kind("area")))),
        ("set of area", "board", ir.All("area", set_of(of_kind("area")))),
        ("set of player", "players", ir.All("players", set_of(PLAYER))),
        ("group -> int", "{}", Op("map", (), ir.Type("map", INT, of_kind("group")))),
        ("set of area", "{}", Op("set", (), set_of(of_kind("area")))),
        ("list of area", "[]", Op("list", (), list_of(of_kind("area")))),
        ("list of int", "[2, 1]", Op("list", (Lit(2, INT), Lit(1, INT)), list_of(INT))),
        ("int", "[7][1]", Op("nth", (Op("list", (Lit(7, INT),), list_of(INT)), Lit(1, INT)), INT)),
    ],
)
def test_names_and_dots(type_: str, written: str, meant: ir.Expr) -> None:
    assert base_of(type_, written) == meant


def test_a_list_becomes_a_set_where_one_is_wanted() -> None:
    found = base_of("set of deck_card", "cards(hand(p))")
    assert isinstance(found, Loop)
    assert (found.fn, found.type) == ("set", set_of(of_kind("deck_card")))
    assert found.source.type == list_of(of_kind("deck_card"))


def test_a_list_of_an_attribute_is_written_like_a_set() -> None:
    rules = linked(
        "attribute ages of player: list of int = {2, 1}\nvalue old(p: player): int = size(p.ages)"
    )
    meant = Op("list", (Lit(2, INT), Lit(1, INT)), list_of(INT))
    assert rules.attributes["player.ages"].default == meant


def test_a_pile_is_gone_through_card_by_card() -> None:
    found = base_of("bool", "any(c in hand(p) where c is good and c.price > 1)")
    assert isinstance(found, Loop)
    assert isinstance(found.source, Op)
    assert found.source.op == "cards"


def test_a_field_several_faces_share_is_read_from_the_one_that_is_there() -> None:
    found = base_of("int", "sum(c.copies for c in cards(hand(p)))")
    assert isinstance(found, Loop)
    assert isinstance(found.body, Op)
    assert found.body.op == "if"
    assert [one.owner_kind for one in found.body.args[1:] if isinstance(one, FieldOf)] == [
        "good",
        "woe",
    ]


def test_a_name_of_two_kinds_is_clear_where_one_is_wanted() -> None:
    text = 'good west "Western goods" { copies: 1 }\nvalue probe(a: area): bool = a == west'
    found = linked(text).values["probe"].base
    assert isinstance(found, Op)
    assert found.args[1] == ThingRef("area", "west", of_kind("area"))


def clause(written: str, value: str = "may_enter") -> ir.Contribution:
    text = f"""value far(a: area, b: area): int = 1
    skill weaving "Weaving" {{
      cost: 1
      {written}
    }}"""
    return linked(text).values[value].contributions[0]


def test_a_clause_speaks_in_the_words_of_its_value() -> None:
    found = clause("forbid may_enter(holder, spot) when spot.coast  'No.'".replace("'", '"'))
    holds = Op("holds", (P, ThingRef("skill", "weaving", of_kind("skill"))), BOOL)
    assert found.when == Op("and", (holds, FieldOf(A, "area", "coast", BOOL)), BOOL)
    assert (found.path, found.thing) == ("weaving / forbid may_enter / 1", "skill.weaving")
    assert (found.op, found.reason, found.meta.origin) == ("forbid", "No.", "game")


def test_another_argument_is_a_test_of_equality() -> None:
    found = clause("allow may_enter(who, north)")
    assert found.when == Op("==", (A, ThingRef("area", "north", of_kind("area"))), BOOL)


def test_the_same_name_twice_means_the_same() -> None:
    found = clause("modify far(x, x) by 1", "far")
    b = Local("b", of_kind("area"))
    assert found.when == Op("==", (b, A), BOOL)


def test_new_names_in_a_clause_keep_clear_of_the_names_of_its_value() -> None:
    found = clause("allow may_enter(q, spot) when any(a in spot.land where a.limit > 1)")
    assert isinstance(found.when, Loop)
    assert found.when.var == "a_2"
    assert found.when.source == FieldOf(A, "area", "land", set_of(of_kind("area")))


def test_a_trigger_speaks_in_the_words_of_its_procedure() -> None:
    text = (
        'rule mercy { after lose(who, much) { let n = much - 1   # one less\n say "{who} {n}" } }'
    )
    trigger = linked(text).procedures["lose"].triggers[0]
    let, say = trigger.body
    assert isinstance(let, ir.Let)
    assert isinstance(say, ir.Say)
    assert let.name == "n_2"
    assert let.expr == Op("-", (Local("n", INT), Lit(1, INT)), INT)
    assert say.text.parts == (Local("p", ir.Type("owner")), " ", Local("n_2", INT))


def test_keys_of_orders_are_values() -> None:
    ruleset = linked("rule slow { modify by_rank.late(p) by +1 when p.fame > 3 }")
    assert ruleset.orders["by_rank"].keys == ("by_rank.late", "by_rank.rank")
    assert len(ruleset.values["by_rank.late"].contributions) == 1


def test_short_names_inside_a_thing() -> None:
    ruleset = linked("")
    (body,) = ruleset.things["woe"]["drought"].bodies
    (do,) = body.body
    assert isinstance(do, ir.Do)
    call = do.args[1]
    assert isinstance(call, ir.ValueCall)
    assert call.value == "drought.harm"


def test_an_action_inside_a_holdable_thing_is_for_its_holders() -> None:
    text = 'skill boats "Boats" {\n cost: 1\n action row in play by p { add 1 to holder.fame }\n}'
    action = linked(text).actions["boats.row"]
    assert action.thing == "skill.boats"
    assert isinstance(action.body[0], ir.Assign)
    assert action.body[0].target == AttrOf(P, "player.fame", INT)


def test_place_and_remove_are_moves_from_and_to_the_home() -> None:
    text = """procedure both(p: player, a: area) {
      place 2 man of p in a
      remove 1 ship of p from a
    }"""
    place, remove = linked(text).procedures["both"].body
    assert isinstance(place, ir.Move)
    assert isinstance(remove, ir.Move)
    assert place.source == ir.Whereabouts("own", id="stock")
    assert remove.target == ir.Whereabouts("own", id="dock")


def test_a_group_is_spelled_out() -> None:
    found = base_of("int", "count(folk of others(p) in a.land)")
    assert isinstance(found, ir.Count)
    assert found.units.pieces == ("man", "house")
    assert found.units.many
    assert found.where.kind == "areas"


def test_stop_unless_is_a_branch() -> None:
    text = "procedure climb(p: player) {\n stop unless p.fame > 1\n add 1 to p.fame\n}"
    branch = linked(text).procedures["climb"].body[0]
    assert isinstance(branch, ir.If)
    assert isinstance(branch.condition, Op)
    assert branch.condition.op == "not"
    assert branch.then == (ir.Jump("stop"),)


def test_let_in_a_loop_gives_the_outer_name_a_new_value() -> None:
    text = """procedure add_up(p: player) {
      let n = 0
      for each a in p.liked { let n = n + a.limit }
      add n to p.fame
    }"""
    first, loop, _ = linked(text).procedures["add_up"].body
    assert isinstance(first, ir.Let)
    assert isinstance(loop, ir.For)
    assert isinstance(loop.body[0], ir.Let)
    assert first.name == loop.body[0].name == "n"


def test_decisions_have_paths() -> None:
    text = """
    phase feast { all players p at once {
      choose gift by p from p.liked "What?" optionally
      say "{gift}"
    } }
    woe flood "Flood" {
      copies: 1
      strike { may victim flee "Flee?" { stop } }
    }
    advice feast.gift { prefer it.limit when p.fame > 3 }
    advice flood.strike.flee { prefer it }
    advice walk.target { prefer target.limit + origin.limit }
    """
    assert [one.target for one in linked(text).advice] == [
        "feast.gift",
        "flood.strike.flee",
        "walk.target",
    ]


def test_fields_are_plain_data() -> None:
    things = linked("").things
    values = {one.field: one.value for one in things["skill"]["pottery"].values}
    assert values == {"cost": 30, "worth": (("group.crafts", 10),)}
    assert things["skill"]["sailing"].values[1].value == "skill.pottery"
    assert things["area"]["north"].values[1].value == ("area.south", "area.west")


def test_places_in_the_text_are_kept() -> None:
    value = linked("\n\nvalue probe(p: player): int =\n  reach(p) + 1\n").values["probe"]
    assert value.at == ir.At("game/game.rules", 3, 1, 4, 15)
    assert value.base.at == ir.At("game/game.rules", 4, 3, 4, 15)


def test_a_scenario_has_players_and_a_map_of_its_own() -> None:
    text = """scenario "A little  map" {
      players reds, guest
      area one "One" { limit: 1   land: two }
      area two "Two" { limit: 2   land: one }
      options { long_game: yes }
      given {
        place 1 man of guest in one
        deal salt 2, drought in hand(reds)
      }
      guest does walk(one, two)
      reds cannot walk(two, one) "not yet"
      run phase play
      expect { check count(man of guest in two) == 1 and reds.nation == reds }
      expect in another { check unknown_here() }
    }"""
    (scenario,) = linked(text).scenarios
    assert (scenario.id, scenario.title) == ("a_little_map", "A little map")
    assert scenario.players == ("reds", "guest")
    assert [one.id for one in scenario.things] == ["one", "two"]
    assert scenario.options == (("long_game", True),)
    given, does, cannot, _, expect = scenario.items
    assert isinstance(given, ir.Given)
    assert isinstance(given.body[1], ir.Deal)
    assert given.body[1].faces == (("good.salt", 2), ("woe.drought", 1))
    assert isinstance(does, ir.Scripted)
    assert does.args[0] == ThingRef("area", "one", of_kind("area"))
    assert isinstance(cannot, ir.Cannot)
    assert isinstance(expect, ir.Expect)
    same = expect.checks[0]
    assert isinstance(same, Op)
    assert isinstance(same.args[1], Op)
    assert same.args[1].args[1] == ThingRef("nation", "reds", of_kind("nation"))


def test_a_scenario_for_another_pack_is_left_out() -> None:
    assert linked('scenario "Elsewhere" for another { players x }').scenarios == ()


def test_one_title_may_be_used_for_different_editions() -> None:
    text = """scenario "a walk"{} {{
  players reds, blues
  area moor{} "Moor" {{ limit: 1 }}
  expect {{ check reach(reds) == 2 }}
}}
"""
    assert codes(text.format(" for base", "") + text.format(" without base", "s")) == []
    assert codes(text.format("", "") + text.format(" for base", "s")) == ["Z401"]


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ("hopes", ""),
        ("mood", "An outlook must be a number, but `mood` is yes or no."),
        ("hope", "There is no value called `hope`."),
        ("fate", "`fate` must be a value of one player."),
    ],
)
def test_the_outlook_of_a_turn_is_a_number_of_one_player(named: str, message: str) -> None:
    text = f"""value hopes(p: player): int = 3
value mood(p: player): bool = yes
value fate(): int = 3
phase dawn {{ once {{ say "Dawn." }} }}
turn day {{ phases: dawn  outlook: {named} }}
"""
    result = link_text(text)
    wrong = [found.message for found in result.diagnostics if found.is_error]
    assert wrong == ([message] if message else [])
    if not message:
        assert result.ruleset is not None
        assert result.ruleset.turns["day"].outlook == "hopes"
        assert "outlook: hopes" in str(resolved(result.ruleset, "turn day"))


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ("guess", ""),
        ("gues", "There is no procedure called `gues`."),
        ("fate", "`fate` must be a procedure of one player."),
        ("peep", "`peep` says what may be supposed, but `peep` may ask somebody."),
    ],
)
def test_what_a_turn_supposes_is_a_procedure_of_one_player(named: str, message: str) -> None:
    text = f"""procedure guess(p: player) {{ say "Who knows?" }}
procedure fate() {{ say "Nobody." }}
procedure peep(p: player) {{ may p look "Look" {{ say "Looked." }} }}
phase dawn {{ once {{ say "Dawn." }} }}
turn day {{ phases: dawn  supposing: {named} }}
"""
    result = link_text(text)
    wrong = [found.message for found in result.diagnostics if found.is_error]
    assert wrong == ([message] if message else [])
    if not message:
        assert result.ruleset is not None
        assert "supposing: guess" in str(resolved(result.ruleset, "turn day"))
