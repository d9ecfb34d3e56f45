"""Questions and clarifications: which reading is played, who shows it, how packs change them."""

from tests.dsl.linked import WHOLE, codes, link_text
from ziggurat.dsl.linking.hashing import content_hash, from_json, meaning_hash, to_json
from ziggurat.dsl.printing.resolved import resolved
from ziggurat.dsl.readings import places, reading_played, readings, showing_scenarios
from ziggurat.runtime import kernel as ir

ASKED = """
question Q-1 "How long is the game?" {
  cites W "4"
  W "4a" says "A game is short."
  reading "Short" { long_game: no }
  reading "Long" { long_game: yes }
  reading "As long as rain falls" not built because "nobody looks out of the window"
}
clarification D-1 "The reds are no heroes" {
  W "9" says "Nobody is famous at first."
  shown by "nobody is famous"
}
scenario "nobody is famous" {
  tags Q-1
  players reds, blues
  expect { check reds.fame == 0 }
}
scenario "nobody is famous in a long game" {
  tags Q-1
  players reds, blues
  options { long_game: yes }
  expect { check reds.fame == 0 }
}
"""


def linked(text: str) -> ir.Ruleset:
    result = link_text(text, WHOLE)
    assert result.ruleset is not None, result.diagnostics
    return result.ruleset


def played(text: str) -> str:
    ruleset = linked(text)
    found = reading_played(ruleset, ruleset.questions["Q-1"])
    return found.text if found else ""


def test_the_reading_played_is_the_one_whose_options_are_so() -> None:
    ruleset = linked(ASKED)
    short, long, rain = readings(ruleset, ruleset.questions["Q-1"])
    assert (short.state, short.why) == ("holds", "long_game: no by default (base)")
    assert (long.state, long.why) == ("by option", "with long_game: yes")
    assert (rain.state, rain.why) == ("not built", "nobody looks out of the window")
    assert [one.title for one in short.scenarios] == ["nobody is famous"]
    assert [one.title for one in long.scenarios] == ["nobody is famous in a long game"]
    assert rain.scenarios == ()


def test_a_question_stands_where_it_cites_and_where_books_speak() -> None:
    assert places(linked(ASKED).questions["Q-1"]) == (ir.Cite("W", "4"), ir.Cite("W", "4a"))


def test_a_clarification_is_shown_by_those_it_names_and_those_with_its_tag() -> None:
    ruleset = linked(ASKED + '\namend scenario "nobody is famous in a long game" { tags D-1 }')
    shown = showing_scenarios(ruleset, ruleset.clarifications["D-1"])
    assert [one.title for one in shown] == ["nobody is famous", "nobody is famous in a long game"]


def test_a_table_of_cases_shows_a_reading_in_every_case() -> None:
    ruleset = linked("""
question Q-1 "Is nobody famous?" {
  reading "Nobody is"
  shown by "who is famous"
}
scenario "who is famous" {
  players reds, blues
  cases n {
    case 0
    case 1
  }
  expect { check reds.fame <= n }
}
""")
    (one,) = readings(ruleset, ruleset.questions["Q-1"])
    assert [scenario.id for scenario in one.scenarios] == ["who_is_famous.1", "who_is_famous.2"]


def test_another_default_is_another_reading_and_who_said_so_is_told() -> None:
    text = f"{ASKED}\n#### pack longer extends game\namend option long_game {{ default: yes }}"
    ruleset = linked(text)
    short, long, _ = readings(ruleset, ruleset.questions["Q-1"])
    assert (long.state, long.why) == ("holds", "long_game: yes by default (longer)")
    assert (short.state, short.why) == ("by option", "with long_game: no")


def test_a_pack_can_bring_a_reading() -> None:
    text = """
question Q-1 "How many may play?" {
  reading "Two"
  reading "Three" in crowded
  reading "Four" in mobbed { long_game: yes }
  shown by "nobody is famous"
}
scenario "nobody is famous" {
  players reds, blues
  expect { check reds.fame == 0 }
}
"""
    assert played(text) == "Two"
    ruleset = linked(text)
    told = [(one.state, one.why) for one in readings(ruleset, ruleset.questions["Q-1"])]
    assert told[0] == ("holds", "nothing else is chosen")
    assert told[1] == ("by pack", "with the pack crowded")
    assert told[2] == ("by pack", "with the pack mobbed")
    assert played(f"{text}\n#### pack crowded extends game\n") == "Three"
    assert played(f"{text}\n#### pack mobbed extends game\n") == "Two"
    longer = "amend option long_game { default: yes }"
    assert played(f"{text}\n#### pack mobbed extends game\n{longer}") == "Four"


def test_packs_change_questions_like_any_declaration() -> None:
    over = "\n#### pack over extends game\n"
    amended = linked(f"""{ASKED}{over}
amend question Q-1 {{
  title: "How long?"
  reword "Short" to "Brief"
  remove reading "As long as rain falls"
  cites W "5"
}}""")
    question = amended.questions["Q-1"]
    assert question.title == "How long?"
    assert [one.text for one in question.readings] == ["Brief", "Long"]
    assert places(question)[:2] == (ir.Cite("W", "4"), ir.Cite("W", "5"))
    anew = f'{ASKED}{over}replace question Q-1 "Is it short?" {{ reading "It is" }}'
    assert played(anew) == "It is"
    gone = linked(f"{ASKED}{over}remove question Q-1\nremove clarification D-1")
    assert (gone.questions, gone.clarifications) == ({}, {})


def test_readings_of_a_removed_option_go_with_it() -> None:
    result = link_text(f"""{ASKED}
#### pack over extends game
remove option long_game
""")
    assert result.ruleset is not None, result.diagnostics
    left = result.ruleset.questions["Q-1"].readings
    assert [one.text for one in left] == ["As long as rain falls"]
    (note,) = (one for one in result.diagnostics if one.code == "Z414")
    assert "2 readings" in note.message


def test_a_removed_scenario_need_not_show_anything() -> None:
    over = '#### pack over extends game\nremove scenario "nobody is famous"'
    assert "Z702" not in codes(f"{ASKED}\n{over}", WHOLE)
    assert "Z701" not in codes(f"{ASKED}\n{over}", WHOLE)


def test_a_scenario_for_another_stack_may_show_a_reading() -> None:
    text = ASKED.replace('famous in a long game" {', 'famous in a long game" for elsewhere {')
    assert "Z702" not in codes(text, WHOLE)


def test_questions_change_no_game() -> None:
    bare = ASKED[ASKED.index("scenario") :]
    asked, silent = linked(ASKED), linked(bare)
    assert content_hash(asked) == content_hash(silent)
    assert meaning_hash(asked) == meaning_hash(silent)
    assert from_json(to_json(asked)) == asked


def test_they_are_printed_as_they_were_written() -> None:
    ruleset = linked(ASKED)
    printed = [row for path in ("Q-1", "D-1") for row, _ in resolved(ruleset, path)[0]]
    again = linked("\n".join(printed) + ASKED[ASKED.index("scenario") - 1 :])
    assert again.questions == ruleset.questions
    assert again.clarifications == ruleset.clarifications
