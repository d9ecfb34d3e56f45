"""Every feature of the language server, asked of the real process."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.editor.client import Client, RequestFailedError, place_of, whole
from tests.editor.isles import RULES, broken, lay_out

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def isles(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Client, str, Path]]:
    path = lay_out(tmp_path_factory.mktemp("packs"))
    with Client(path.parent) as client:
        yield client, client.open(path), path
    assert client.errors.decode() == ""


@pytest.fixture
def fresh(isles: tuple[Client, str, Path]) -> tuple[Client, str]:
    client, uri, _ = isles
    client.change(uri, RULES)
    return client, uri


def applied(text: str, changes: list[Any]) -> str:
    lines = text.split("\n")
    starts = [(one["range"]["start"], one) for one in changes]
    for start, one in sorted(starts, key=lambda each: tuple(each[0].values()), reverse=True):
        number, end = start["line"], one["range"]["end"]["character"]
        before, after = lines[number][: start["character"]], lines[number][end:]
        lines[number] = f"{before}{one['newText']}{after}"
    return "\n".join(lines)


def labels(found: Any) -> set[str]:
    return {item["label"] for item in found["items"]}


def completed(client: Client, uri: str, begun: str, stub: str = "") -> set[str]:
    """What is offered at the end of a text after the whole game."""
    text = f"{RULES}{begun}{stub}"
    client.change(uri, text)
    line = text.count("\n")
    column = len(text.rpartition("\n")[2])
    return labels(client.about("completion", uri, (line, column)))


def test_a_sound_pack_has_no_findings(fresh: tuple[Client, str]) -> None:
    client, uri = fresh
    assert client.settled(uri) == []


def test_findings_come_while_typing_and_go(fresh: tuple[Client, str]) -> None:
    client, uri = fresh
    client.change(uri, RULES.replace("{ rank: 2 }", "{ rnk: 2 }"))
    (found,) = client.settled(uri)
    assert (found["code"], found["severity"], found["source"]) == ("Z304", 1, "ziggurat")
    assert "Did you mean `rank`?" in found["message"]
    line, character = place_of(RULES, "rank: 2", 0)
    assert found["range"]["start"] == {"line": line, "character": character}
    client.change(uri, RULES)
    assert client.settled(uri) == []


def test_a_stretch_is_changed_where_letters_take_two_units(fresh: tuple[Client, str]) -> None:
    client, uri = fresh
    client.change(uri, RULES.replace("Two sides", "𐤀 Two sides"))
    start = {"line": 0, "character": 5}
    client.change(uri, ({"start": start, "end": {"line": 0, "character": 8}}, "Zwei"))
    client.change(uri, ({"start": {"line": 1, "character": 0}, "end": start | {"line": 1}}, "kin "))
    assert client.settled(uri) != []


@pytest.mark.parametrize(
    ("begun", "offered", "not_offered"),
    [
        ("", {"value", "kind", "amend", "isle", "craft"}, {"let", "choose"}),
        ('isle west "West" {\n  ', {"room", "bridges", "modify", "cites"}, {"rank", "let"}),
        ('isle west "West" { room: 1  bridges: ', {"north", "south"}, {"red", "masonry"}),
        ("rule r {\n  modify ", {"keep", "strength"}, {"gain", "north"}),
        ("value v(p: ", {"player", "isle", "int", "set"}, {"north"}),
        ("value v(p: player): int = p.", {"fame", "rank", "side"}, {"room", "keep"}),
        ("value v(p: player): int = ", {"p", "keep", "size", "last_round", "north"}, {"gain"}),
        ("procedure q(x: isle) {\n  let y = 1\n  ", {"gain", "settle", "let", "if"}, {"needs"}),
        ("procedure q(x: isle) {\n  let y = 1\n  let z = ", {"x", "y", "keep"}, {"let"}),
        ("procedure q(x: isle) {\n  move 1 ", {"token"}, {"north"}),
        ("procedure q(x: isle) {\n  for each s in isles where s.", {"room", "bridges"}, {"fame"}),
        ("advice ", {"settle.place_to_go"}, {"keep"}),
        ("advice settle.", {"place_to_go"}, {"keep"}),
        ('scenario "x" {\n  players red, blue\n  ', {"run", "expect", "red", "isle"}, {"let"}),
        (
            'scenario "x" {\n  players red, blue\n  red chooses north for ',
            {"settle.place_to_go"}, {"growth"},
        ),
        ('scenario "x" {\n  players red, blue\n  run ', {"gain", "settle", "phase"}, {"keep"}),
        ('scenario "x" {\n  players red, blue\n  run phase ', {"growth"}, {"settle"}),
        ('scenario "x" {\n  players red\n  options {\n    ', {"last_round"}, {"let"}),
        ('scenario "x" for ', {"isles"}, {"north"}),
        ("amend ", {"isle", "value", "scenario"}, {"north"}),
        ("amend isle ", {"north", "south"}, {"red"}),
        ("amend isle north {\n  ", {"room", "remove", "replace"}, {"let"}),
        ("phase p {\n  each player p by ", {"by_rank"}, {"keep"}),
        ("phase p {\n  ", {"once", "each", "perform"}, {"let"}),
        ("# a comment ", set(), {"value"}),
    ],
)  # fmt: skip
def test_completion_knows_what_may_stand_here(
    fresh: tuple[Client, str], begun: str, offered: set[str], not_offered: set[str]
) -> None:
    client, uri = fresh
    client.settled(uri)
    found = completed(client, uri, begun)
    assert offered <= found
    assert not (found & not_offered)


def test_a_value_is_completed_with_its_parameters(fresh: tuple[Client, str]) -> None:
    client, uri = fresh
    client.settled(uri)
    text = f"{RULES}value v(p: player): int = ke"
    client.change(uri, text)
    found = client.about("completion", uri, (text.count("\n"), len(text.rpartition("\n")[2])))
    (item,) = [one for one in found["items"] if one["label"] == "keep"]
    assert item["textEdit"]["newText"] == "keep(${1:p}, ${2:a})"
    told = client.ask("completionItem/resolve", **item)
    assert "keep(p: player, a: isle): int" in told["detail"]
    assert "How many tokens somebody may keep." in told["documentation"]["value"]


def test_completion_in_a_manifest(isles: tuple[Client, str, Path]) -> None:
    client, _, path = isles
    text = 'id = "isles"\ntitle = "Isles"\nversion = "1"\nextends = ["'
    uri = client.open(path.parent / "pack.toml", text)
    assert "isles" in labels(client.about("completion", uri, (3, len('extends = ["'))))
    client.change(uri, 'id = "isles"\n')
    assert {"title", "extends", "stack"} <= labels(client.about("completion", uri, (1, 0)))
    client.change(uri, (path.parent / "pack.toml").read_text().replace("title", "titel"))
    codes = {one["code"] for one in client.settled(uri)}
    client.close(uri)
    assert codes == {"Z012", "Z014"}


def test_hover_tells_what_a_value_is_and_who_changes_it(fresh: tuple[Client, str]) -> None:
    client, uri = fresh
    told = client.about("hover", uri, place_of(RULES, "free = |keep"))["contents"]["value"]
    for part in (
        "value keep(p: player, a: isle): int", "a.room", "B 2", "How many tokens",
        "modify keep(holder, a) by +1", "masonry",
    ):  # fmt: skip
        assert part in told, part


def test_hover_has_the_page_of_a_finding(fresh: tuple[Client, str]) -> None:
    client, uri = fresh
    client.change(uri, RULES.replace("{ rank: 2 }", "{ rnk: 2 }"))
    told = client.about("hover", uri, place_of(RULES, "rank: 2"))["contents"]["value"]
    assert "Z304" in told


def test_to_the_declaration_and_to_what_amends_it(fresh: tuple[Client, str]) -> None:
    client, uri = fresh
    spot = place_of(RULES, "free = |keep")
    (found,) = client.about("definition", uri, spot)
    line, character = place_of(RULES, "value |keep")
    assert found["range"]["start"] == {"line": line, "character": character}
    assert client.about("declaration", uri, spot) == [found]
    (change,) = client.about("implementation", uri, spot)
    assert change["range"]["start"]["line"] == place_of(RULES, "modify keep")[0]


@pytest.mark.parametrize(
    ("words", "number"),
    [("value |keep", 4), ("isle |north", 7), ("let |free", 3), ("choose |place_to_go", 4),
     ("{\n  |room: int", 7), ("procedure |gain", 3), ("kind |isle", 5), ("tags |R-1", 2)],
)  # fmt: skip
def test_references(fresh: tuple[Client, str], words: str, number: int) -> None:
    client, uri = fresh
    spot = place_of(RULES, words)
    found = client.about("references", uri, spot, context={"includeDeclaration": True})
    assert len(found) == number
    assert len(client.about("documentHighlight", uri, spot)) == number


@pytest.mark.parametrize(
    "words", ["value |keep", "isle |north", "let |free", "choose |place_to_go", "{\n  |room: int",
              "procedure |gain", "kind |isle", "attribute |fame", "piece |token", "order |by_rank"]
)  # fmt: skip
def test_a_renamed_game_is_as_sound_as_before(fresh: tuple[Client, str], words: str) -> None:
    client, uri = fresh
    spot = place_of(RULES, words)
    assert client.about("prepareRename", uri, spot) is not None
    edit = client.about("rename", uri, spot, newName="other_name")
    (changes,) = edit["changes"].values()
    changed = applied(RULES, changes)
    client.change(uri, changed)
    assert client.settled(uri) == []
    assert changed.count("other_name") == len(changes) > 1


def test_a_name_that_is_taken_is_refused(fresh: tuple[Client, str]) -> None:
    client, uri = fresh
    with pytest.raises(RequestFailedError, match="cannot become"):
        client.about("rename", uri, place_of(RULES, "isle |north"), newName="south")
    with pytest.raises(RequestFailedError, match="no such name"):
        client.about("rename", uri, place_of(RULES, "isle |north"), newName="Not A Name")


def test_symbols(fresh: tuple[Client, str]) -> None:
    client, uri = fresh
    names = [one["name"] for one in client.about("documentSymbol", uri)]
    assert {"isle", "north", "keep", "a token grows"} <= set(names)
    found = client.ask("workspace/symbol", query="kp")
    assert "keep" in [one["name"] for one in found]


def test_colours_folds_and_hints(fresh: tuple[Client, str]) -> None:
    client, uri = fresh
    data = client.about("semanticTokens/full", uri)["data"]
    assert len(data) % 5 == 0
    assert len(data) > 500
    legend = client.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"]
    assert max(data[3::5]) < len(legend)
    folds = client.about("foldingRange", uri)
    first = place_of(RULES, "procedure settle")[0]
    assert {"startLine": first, "endLine": first + 6} in folds
    hints = client.about("inlayHint", uri, range=whole(RULES))
    assert "n:" in [one["label"] for one in hints]


def test_signature_help(fresh: tuple[Client, str]) -> None:
    client, uri = fresh
    found = client.about("signatureHelp", uri, place_of(RULES, "keep(p, |north) - "))
    assert found["signatures"][0]["label"] == "keep(p: player, a: isle)"
    assert found["activeParameter"] == 1


def test_formatting(fresh: tuple[Client, str]) -> None:
    client, uri = fresh
    options = {"tabSize": 2, "insertSpaces": True}
    client.change(uri, RULES.replace("  cost: 10\n", "      cost:10\n"))
    (edit,) = client.about("formatting", uri, options=options)
    assert "\n  cost: 10\n" in edit["newText"]
    client.change(uri, RULES + "value {")
    assert client.about("formatting", uri, options=options) is None


def actions_at(client: Client, uri: str, text: str, words: str) -> dict[str, Any]:
    client.change(uri, text)
    line, character = place_of(text, words)
    spot = {"line": line, "character": character}
    found = client.about(
        "codeAction", uri, range={"start": spot, "end": spot}, context={"diagnostics": []}
    )
    return {one["title"]: one for one in found}


def test_a_slip_is_mended(fresh: tuple[Client, str]) -> None:
    client, uri = fresh
    text = RULES.replace("{ rank: 2 }", "{ rnk: 2 }")
    found = actions_at(client, uri, text, "|rnk: 2")
    (edit,) = found["Change to `rank`"]["edit"]["changes"][uri]
    assert edit["newText"] == "rank"
    assert found["Change to `rank`"]["isPreferred"]
    assert "Explain Z304" in found


def test_a_border_is_added_on_the_other_side(fresh: tuple[Client, str]) -> None:
    client, uri = fresh
    text = RULES.replace("room: 2  bridges: north }", "room: 2 }")
    found = actions_at(client, uri, text, "bridges: |south")
    (edit,) = found["Add `north` to the `bridges` of `south`"]["edit"]["changes"][uri]
    assert edit["newText"].strip() == "bridges: north"
    assert edit["range"]["start"]["line"] == place_of(text, "isle south")[0]


def test_missing_fields_and_scenarios_are_added(fresh: tuple[Client, str]) -> None:
    client, uri = fresh
    text = RULES.replace("  cost: 10\n", "")
    (edit,) = actions_at(client, uri, text, "craft |masonry")["Add `cost`"]["edit"]["changes"][uri]
    assert "cost: 0" in edit["newText"]
    found = actions_at(client, uri, RULES, "craft |masonry")
    (edit,) = found["Add a scenario for A-1"]["edit"]["changes"][uri]
    client.change(uri, RULES + edit["newText"])
    assert client.settled(uri) == []


def test_lenses_run_scenarios_and_count_clauses(fresh: tuple[Client, str]) -> None:
    client, uri = fresh
    titles = [one["command"]["title"] for one in client.about("codeLens", uri)]
    assert titles.count("run") == titles.count("explain") == titles.count("try mutants") == 2
    assert "changed by 1 clause" in titles
    assert client.do("ziggurat.runScenario", uri, "a_token_grows")["passed"]
    tried = client.do("ziggurat.tryMutants", uri, "a_token_grows")
    assert tried["tried"] > 0
    titles = [one["command"]["title"] for one in client.about("codeLens", uri)]
    assert "run (passed)" in titles
    alive = len(tried["survive"])
    assert f"{alive} {'mutant survives' if alive == 1 else 'mutants survive'}" in titles
    client.change(uri, RULES.replace("strength(blue) == 2", "strength(blue) == 3"))
    assert not client.do("ziggurat.runScenario", uri, "strength_is_counted")["passed"]


def test_other_commands(fresh: tuple[Client, str], tmp_path: Path) -> None:
    client, uri = fresh
    assert "Z304" in client.do("ziggurat.explainFinding", "Z304")
    line, character = place_of(RULES, "free = |keep")
    assert "Changed by" in client.do("ziggurat.explainAt", uri, line, character)
    card = client.do("ziggurat.preview", uri, *place_of(RULES, "craft |masonry"))
    assert "Masonry" in card["html"]
    assert "<svg" in client.do("ziggurat.preview", uri, *place_of(RULES, "isle |north"))["html"]
    assert client.do("ziggurat.stackOf", uri)["stack"] == "isles"
    made = client.do("ziggurat.newPack", str(tmp_path), "my_west", "west")
    assert Path(made["file"]).is_file()
    assert "already" in client.do("ziggurat.newPack", str(tmp_path), "my_west", "west")["problem"]
    assert "no name" in client.do("ziggurat.newPack", str(tmp_path), "My West", "west")["problem"]


def test_a_broken_pack_answers_everything(tmp_path: Path) -> None:
    text = broken()
    path = lay_out(tmp_path, text)
    with Client(tmp_path) as client:
        uri = client.open(path)
        codes = {one["code"] for one in client.settled(uri)}
        assert {"Z211", "Z204", "Z303"} <= codes
        for line in range(0, text.count("\n"), 3):
            for method in ("hover", "definition", "implementation", "completion", "signatureHelp"):
                client.about(method, uri, (line, 12))
            client.about("references", uri, (line, 12), context={"includeDeclaration": True})
        for method in ("semanticTokens/full", "foldingRange", "codeLens", "documentSymbol"):
            assert client.about(method, uri) is not None
        client.about("inlayHint", uri, range=whole(text))
        found = client.about("codeAction", uri, range=whole(text), context={"diagnostics": []})
        helped = [one for one in client.findings[uri] if one.get("data")]
        assert len(found) >= len(helped) > 0
        assert {"Change to `token`", "Change to `keep`"} <= {one["title"] for one in found}
        assert client.do("ziggurat.runScenario", uri, "a_token_grows") is None
    assert client.errors.decode() == ""


def test_a_file_outside_of_packs_has_its_syntax_checked(tmp_path: Path) -> None:
    path = tmp_path / "loose.rules"
    path.write_text("value {", encoding="utf-8")
    with Client(tmp_path) as client:
        uri = client.open(path)
        assert client.settled(uri)
        client.about("hover", uri, (0, 2))
    assert client.errors.decode() == ""


def test_a_variant_is_checked_in_the_stack_that_is_set(tmp_path: Path) -> None:
    """Findings across packs: a variant that renames what the game below declares."""
    lay_out(tmp_path)
    variant = tmp_path / "far_isles"
    variant.mkdir()
    manifest = 'id = "far_isles"\ntitle = "Far"\nversion = "1"\nextends = ["isles"]\n'
    (variant / "pack.toml").write_text(manifest, encoding="utf-8")
    path = variant / "far.rules"
    path.write_text("remove procedure gain\n", encoding="utf-8")
    with Client(tmp_path, stack="isles+far_isles") as client:
        below = client.open(tmp_path / "isles" / "isles.rules")
        uri = client.open(path)
        client.settled(uri)
        found = client.findings[below] + client.findings.get(uri, [])
        assert found
        client.change(uri, "rename isle north to nord\n")
        client.settled(uri)
        assert client.findings[below] == client.findings.get(uri, []) == []
        (place,) = client.about("definition", uri, (0, 13))
        assert place["uri"] == below
        assert len(client.about("implementation", below, place_of(RULES, "isle |north"))) == 1


@pytest.fixture(scope="module")
def core() -> Iterator[tuple[Client, str, str]]:
    path = ROOT / "content" / "core" / "phases" / "conflict.rules"
    with Client(ROOT, stack="west") as client:
        yield client, client.open(path), path.read_text(encoding="utf-8")
    assert client.errors.decode() == ""


def test_core_answers_everything(core: tuple[Client, str, str]) -> None:
    client, uri, text = core
    assert client.settled(uri) == []
    lines = text.split("\n")
    for number in range(0, len(lines), 12):
        spot = (number, min(len(lines[number]), 9))
        for method in ("hover", "definition", "implementation", "completion", "signatureHelp",
                       "documentHighlight", "prepareRename"):  # fmt: skip
            client.about(method, uri, spot)
    assert client.about("semanticTokens/full", uri)["data"]
    assert client.about("inlayHint", uri, range=whole(text))
    assert client.about("foldingRange", uri)
    assert client.about("codeLens", uri)
    assert len(client.ask("workspace/symbol", query="attack_tokens")) > 0


def test_core_is_renamed_all_over_the_stack(core: tuple[Client, str, str]) -> None:
    client, uri, text = core
    line = next(n for n, one in enumerate(text.split("\n")) if one.startswith("procedure "))
    edit = client.about("rename", uri, (line, 12), newName="quite_another_name")
    assert sum(len(changes) for changes in edit["changes"].values()) > 1


def test_a_pack_of_somebody_does_not_rewrite_the_built_in_ones(tmp_path: Path) -> None:
    pack = tmp_path / "mine"
    pack.mkdir()
    manifest = 'id = "mine"\ntitle = "Mine"\nversion = "1"\nextends = ["west"]\n'
    (pack / "pack.toml").write_text(manifest, encoding="utf-8")
    text = "rule stout {\n  modify attack_tokens(a, d) by +1\n}\n"
    (pack / "mine.rules").write_text(text, encoding="utf-8")
    with Client(tmp_path) as client:
        uri = client.open(pack / "mine.rules")
        assert [one for one in client.settled(uri) if one["severity"] == 1] == []
        with pytest.raises(RequestFailedError, match="came with Ziggurat"):
            client.about("rename", uri, (1, 12), newName="storm_tokens")
