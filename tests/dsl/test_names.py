"""Names are followed by the linker itself: every one can be changed everywhere."""

from pathlib import Path

import pytest

from tests.editor.isles import RULES, lay_out
from ziggurat import Names, OutOfDate, Search, Source, Workspace, completions, remedies

DEMANDED = "good.copies"  # the language itself wants a field of this name
NOT_NAMED = ("scenario", "source", "tag", "pack")  # by titles, in manifests, or without declaration


@pytest.fixture
def loaded(tmp_path: Path) -> Workspace:
    lay_out(tmp_path)
    workspace = Workspace("isles", Search.default((tmp_path,)))
    assert workspace.load().diagnostics == ()
    return workspace


def names_of(workspace: Workspace) -> Names:
    assert workspace.names is not None
    return workspace.names


def test_every_name_can_be_another_one_everywhere(loaded: Workspace) -> None:
    names = names_of(loaded)
    tried = 0
    for place in names.in_file("isles/isles.rules"):
        if (
            place.word in NOT_NAMED
            or place.path == DEMANDED
            or (place.word, place.span.text) == ("kind", "isles")
        ):
            continue
        (declared, *_) = names.declared(place.word, place.path)
        old, new = declared.text, "zz_quite_new"
        plural = place.word == "kind"
        text = RULES
        same = names.same([place])
        for span in sorted({one.span for one in names.of(*same)}, key=lambda one: -one.start):
            words = {old: new, **({f"{old}s": f"{new}s"} if plural else {})}
            text = text[: span.start] + words.get(span.text, span.text) + text[span.end :]
        result = loaded.with_texts({"isles/isles.rules": text})
        assert result.diagnostics == (), (place.word, place.path)
        tried += 1
    assert tried > 100


def test_what_would_come_of_other_texts_changes_nothing(loaded: Workspace) -> None:
    names = names_of(loaded)
    assert loaded.with_texts({"isles/isles.rules": "value"}).diagnostics
    assert loaded.load().diagnostics == ()
    assert names_of(loaded).in_file("isles/isles.rules") == names.in_file("isles/isles.rules")


def test_a_load_that_nobody_waits_for_ends_and_leaves_all_as_it_was(loaded: Workspace) -> None:
    loaded.edit("isles/isles.rules", RULES.replace("room: 3", "room: 4"))
    asked = iter([True] * 5)
    with pytest.raises(OutOfDate):
        loaded.load(lambda: next(asked, False))
    result = loaded.load()
    assert result.ruleset is not None
    assert result.ruleset.things["isle"]["north"].values[0].value == 4


def test_data_that_did_not_change_are_judged_again_where_it_matters(loaded: Workspace) -> None:
    demand = RULES.replace("  relation bridges\n", "  relation bridges\n  needs room < 3\n")
    for text, codes in ((demand, ["Z516"]), (f"\n\n{demand}", ["Z516"]), (RULES, [])):
        loaded.edit("isles/isles.rules", text)
        found = loaded.load().diagnostics
        assert [one.code for one in found] == codes
        assert all(one.span is not None and one.span.source.text == text for one in found)


def test_completion_survives_every_beginning_of_a_file(loaded: Workspace) -> None:
    for end in range(0, len(RULES), 23):
        completions(names_of(loaded), Source("isles/isles.rules", RULES[:end], "isles"), end)


def test_suggestions_are_carried_out(loaded: Workspace) -> None:
    """What is offered as the one thing to do leaves no finding behind."""
    for good, bad in (("place n token", "place n tokn"), ("let free = keep", "let free = kep"),
                      ("room: 2  bridges: north }", "room: 2 }")):  # fmt: skip
        text = RULES.replace(good, bad)
        loaded.edit("isles/isles.rules", text)
        (finding, *_) = [one for one in loaded.load().diagnostics if one.is_error]
        remedy = next(one for one in remedies(loaded.names, finding) if one.sure)
        for edit in remedy.edits:
            text = text[: edit.span.start] + edit.text + text[edit.span.end :]
        loaded.edit("isles/isles.rules", text)
        assert loaded.load().diagnostics == ()
