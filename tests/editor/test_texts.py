"""Edits reach the text they are meant for: units, line ends, unsaved texts, copies of a pack."""

import re
import shutil
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.editor.client import PATIENCE, Client, RequestFailedError, place_of
from tests.editor.isles import RULES, lay_out

VERSIONS = {"workspace": {"workspaceEdit": {"documentChanges": True}}}
FORMATTING = {"tabSize": 2, "insertSpaces": True}
LINES = ("\n", "\r\n", "\r")


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def spot(text: str, words: str, inner: int = 1) -> tuple[int, int]:
    """Line and character of some words as the protocol counts them, for any line ends."""
    line, column = place_of(text.replace("\r\n", "\n").replace("\r", "\n"), words, inner)
    return line, units(text_lines(text)[line][0][:column])


def text_lines(text: str) -> list[tuple[str, str]]:
    """The lines of a text, each with its end; none but these three end a line."""
    lines: list[tuple[str, str]] = []
    rest = text
    while True:
        at, end = min(
            ((rest.find(end), end) for end in ("\r\n", "\n", "\r") if end in rest),
            key=lambda found: (found[0], -len(found[1])),
            default=(-1, ""),
        )
        if not end:
            return [*lines, (rest, "")]
        lines.append((rest[:at], end))
        rest = rest[at + len(end) :]


def offset_of(text: str, position: Mapping[str, int]) -> int:
    lines = text_lines(text)
    before = sum(len(line) + len(end) for line, end in lines[: position["line"]])
    if position["line"] >= len(lines):
        return len(text)
    line = lines[position["line"]][0]
    return before + len(line.encode("utf-16-le")[: 2 * position["character"]].decode("utf-16-le"))


def applied(text: str, edits: list[Any]) -> str:
    """A text after edits, as a strict client applies them."""
    found = [
        (offset_of(text, one["range"]["start"]), offset_of(text, one["range"]["end"]), one)
        for one in edits
    ]
    for start, end, one in sorted(found, key=lambda each: each[:2], reverse=True):
        text = text[:start] + one["newText"] + text[end:]
    return text


def changes_of(edit: Any) -> dict[str, list[Any]]:
    if edit.get("documentChanges"):
        return {one["textDocument"]["uri"]: one["edits"] for one in edit["documentChanges"]}
    return dict(edit["changes"])


def pack(folder: Path, name: str, rules: str, extends: str = "") -> Path:
    """A pack of one file, and the file."""
    home = folder / name
    home.mkdir()
    below = f'extends = ["{extends}"]\n' if extends else ""
    manifest = f'id = "{name}"\ntitle = "{name}"\nversion = "1"\n{below}'
    (home / "pack.toml").write_text(manifest, encoding="utf-8")
    (home / f"{name}.rules").write_text(rules, encoding="utf-8")
    return home / f"{name}.rules"


def codes(findings: list[Any]) -> set[str]:
    return {one["code"] for one in findings}


# ---- units -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "encodings", [["utf-8", "utf-16"], ["utf-16"], ["utf-32", "utf-8", "utf-16"], ["utf-7"]]
)
def test_columns_are_utf16_whatever_client_prefers(tmp_path: Path, encodings: list[str]) -> None:
    text = RULES.replace('"{p} has room in', '"🏝🏝 größer {strength(p)} {p} has room in')
    with Client(tmp_path, {"general": {"positionEncodings": encodings}}) as client:
        assert client.capabilities["positionEncoding"] == "utf-16"
        uri = client.open(lay_out(tmp_path, text))
        edit = client.about("rename", uri, spot(text, "größer {|strength"), newName="power")
        client.change(uri, text.replace("größer {strength", "größer {strenth"))
        (finding,) = client.settled(uri)
    assert client.errors.decode() == ""
    renamed = text.replace("strength(", "power(").replace("shows: strength", "shows: power")
    assert applied(text, changes_of(edit)[uri]) == renamed
    line, character = spot(text, "größer {|strength")
    assert finding["range"]["start"] == {"line": line, "character": character}
    said = [one["params"]["message"] for one in client.messages]
    assert len(said) == (1 if encodings == ["utf-7"] else 0)


# ---- line ends -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def loose(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Client, Path]]:
    folder = tmp_path_factory.mktemp("loose")
    with Client(folder) as client:
        yield client, folder
    assert client.errors.decode() == ""


@pytest.mark.parametrize("odd", ["\u2028", "\u2029", "\x85", "\f", "\v", "\x1c", "\x1d", "\x1e"])
def test_only_line_ends_end_lines(loose: tuple[Client, Path], odd: str) -> None:
    client, folder = loose
    path = folder / "odd.rules"
    text = f"# a{odd}b\nvalue one(): int = 1\nvalue two: int = 2\n"
    uri = client.open(path, text)
    start = {"line": 2, "character": 9}
    client.change(uri, ({"start": start, "end": start}, "()"))
    client.change(
        uri, ({"start": {"line": 0, "character": 2}, "end": {"line": 0, "character": 5}}, "c")
    )
    symbols = client.about("semanticTokens/full", uri)["data"]
    findings = client.settled(uri)
    client.close(uri)
    assert findings == []
    assert symbols[:5] == [0, 0, 3, symbols[3], 0]


@pytest.mark.parametrize("end", LINES)
def test_formatting_keeps_line_ends(loose: tuple[Client, Path], end: str) -> None:
    client, folder = loose
    text = "value one(): int  =  1  # größer 🏝\n\nvalue two(): int = 2\n".replace("\n", end)
    uri = client.open(folder / "ends.rules", text)
    line = {"line": 2, "character": 0}
    client.change(uri, ({"start": line, "end": line}, "  "))
    shown = applied(text, [{"range": {"start": line, "end": line}, "newText": "  "}])
    edits = client.about("formatting", uri, options=FORMATTING)
    client.close(uri)
    formatted = "value one(): int = 1  # größer 🏝\n\nvalue two(): int = 2\n"
    assert applied(shown, edits) == formatted.replace("\n", end)


def test_edit_outside_of_text_is_said_once(loose: tuple[Client, Path]) -> None:
    client, folder = loose
    uri = client.open(folder / "short.rules", "value one(): int = 1\n")
    beyond = {"line": 9, "character": 0}
    before = len(client.messages)
    for _ in range(2):
        client.change(uri, ({"start": beyond, "end": beyond}, "x"))
    client.settled(uri)
    (message,) = client.messages[before:]
    assert "short.rules" in message["params"]["message"]
    client.change(uri, "value {")
    assert client.settled(uri)
    client.close(uri)


# ---- several stacks --------------------------------------------------------------------------

FAR = "value twice(p: player): int = 2 * strength(p)\n"
NEAR = "# Näher 🏝.\nvalue thrice(p: player): int = 3 * strength(p)\n"
UNSAVED = "# not saved\n\n"


@pytest.fixture
def packs(tmp_path: Path) -> Iterator[tuple[Client, dict[str, Path]]]:
    """Two packs upon one, all open, the lowest with a line that is not saved."""
    paths = {
        "isles": lay_out(tmp_path),
        "far": pack(tmp_path, "far", FAR, "isles"),
        "near": pack(tmp_path, "near", NEAR, "isles"),
    }
    with Client(tmp_path, VERSIONS) as client:
        for path in paths.values():
            client.open(path)
        client.change(paths["isles"].as_uri(), UNSAVED + RULES)
        yield client, paths
    assert client.errors.decode() == ""


def test_rename_covers_unsaved_text_and_packs_above(
    packs: tuple[Client, dict[str, Path]],
) -> None:
    client, paths = packs
    texts = {"isles": UNSAVED + RULES, "far": FAR, "near": NEAR}
    for asked in texts:
        uri = paths[asked].as_uri()
        edit = client.about("rename", uri, spot(texts[asked], "strength(p"), newName="power")
        versions = {one["textDocument"]["uri"]: one["textDocument"]["version"]
                    for one in edit["documentChanges"]}  # fmt: skip
        assert versions == {paths[name].as_uri(): client.versions[paths[name].as_uri()]
                            for name in texts}  # fmt: skip
        changed = {
            name: applied(texts[name], changes_of(edit)[path.as_uri()])
            for name, path in paths.items()
        }
        expected = {
            name: re.sub(r"\bstrength\b(?! is)", "power", text) for name, text in texts.items()
        }
        assert changed == expected


def test_references_cover_packs_above(packs: tuple[Client, dict[str, Path]]) -> None:
    client, paths = packs
    for asked, text in (("isles", UNSAVED + RULES), ("near", NEAR)):
        place = spot(text, "strength(p")
        context = {"includeDeclaration": True}
        found = client.about("references", paths[asked].as_uri(), place, context=context)
        assert {one["uri"] for one in found} == {path.as_uri() for path in paths.values()}


def test_unsaved_change_shows_in_packs_above(packs: tuple[Client, dict[str, Path]]) -> None:
    client, paths = packs
    uris = {name: path.as_uri() for name, path in paths.items()}
    client.change(uris["isles"], RULES.replace("value strength(", "value strenght("))
    client.settled(uris["isles"])
    assert all("Z204" in codes(client.settled(uri)) for uri in uris.values())
    client.close(uris["isles"])
    unread = {"Z501"}  # of what the packs above declare
    assert [codes(client.settled(uris[name])) for name in ("far", "near")] == [unread, unread]
    assert client.findings[uris["isles"]] == []


def test_finding_of_one_stack_stays_when_another_is_checked(
    packs: tuple[Client, dict[str, Path]],
) -> None:
    client, paths = packs
    uris = {name: path.as_uri() for name, path in paths.items()}
    client.change(uris["far"], "remove value strength\n")
    client.settled(uris["far"])
    alone = client.findings[uris["isles"]]
    assert alone
    client.change(uris["near"], NEAR + "\n")
    client.settled(uris["near"])
    client.settled(uris["isles"])
    assert client.findings[uris["isles"]] == alone
    client.close(uris["far"])
    client.settled(uris["isles"])
    assert client.findings[uris["isles"]] == []


def test_rename_over_text_changed_meanwhile_is_refused(
    packs: tuple[Client, dict[str, Path]],
) -> None:
    client, paths = packs
    uri = paths["far"].as_uri()
    client.settled(uri)
    path = paths["isles"]
    client.close(path.as_uri())
    client.settled(uri)
    path.write_text("# on the disk\n" + RULES, encoding="utf-8")
    with pytest.raises(RequestFailedError, match=r"isles\.rules.*has changed"):
        client.about("rename", uri, spot(FAR, "strength(p"), newName="power")
    client.tell("textDocument/didSave", textDocument={"uri": uri})
    assert client.about("rename", uri, spot(FAR, "strength(p"), newName="power")
    client.change(uri, FAR + "\n")
    late = client.begin(
        "textDocument/rename", textDocument={"uri": uri}, newName="power",
        position={"line": 0, "character": spot(FAR, "strength(p")[1]},
    )  # fmt: skip
    client.change(uri, "\n" + FAR)
    with pytest.raises(RequestFailedError, match=r"far\.rules.*has changed"):
        client.answer(late)


# ---- copies ----------------------------------------------------------------------------------


def test_copy_of_a_pack_is_its_own(tmp_path: Path) -> None:
    """The folder of the open file counts, and that there is another is said."""
    first = lay_out(tmp_path)
    copy = tmp_path / "isles copy" / "isles.rules"
    shutil.copytree(first.parent, copy.parent)
    text = RULES.replace("value strength(", "value strenght(")
    with Client(tmp_path) as client:
        for path, other in ((copy, first), (first, copy)):
            uri = client.open(path)
            assert client.settled(uri) == []
            manifest = path.with_name("pack.toml").as_uri()
            assert codes(client.findings[manifest]) == {"Z035"}
            assert str(other.parent) in str(client.findings[manifest])
            client.change(uri, text)
            assert "Z204" in codes(client.settled(uri))
            assert client.findings.get(other.as_uri(), []) == []
            client.change(uri, RULES)
            edit = client.about("rename", uri, spot(RULES, "strength(p"), newName="power")
            assert set(changes_of(edit)) == {uri}
            client.close(uri)
    assert client.errors.decode() == ""


# ---- files that change outside of the editor -------------------------------------------------


def noticed(client: Client, uri: str, expected: set[str]) -> bool:
    """Whether the findings become these within the patience that tests have."""
    for _ in range(PATIENCE * 10):
        if codes(client.settled(uri)) == expected:
            return True
        time.sleep(0.1)
    return False


def test_server_watches_folders_itself(tmp_path: Path) -> None:
    with Client(tmp_path) as client:
        lay_out(tmp_path)
        uri = client.open(pack(tmp_path, "far", FAR, "isles"))
        assert codes(client.settled(uri)) == {"Z501"}
        path = tmp_path / "isles" / "isles.rules"
        path.write_text(RULES.replace("value strength(", "value strenght("), encoding="utf-8")
        assert noticed(client, uri, {"Z204", "Z501"})
        away = tmp_path.with_name(f"{tmp_path.name}_away")
        (tmp_path / "isles").rename(away)
        assert noticed(client, uri, set())
        manifest = (tmp_path / "far" / "pack.toml").as_uri()
        assert "Z020" in codes(client.findings[manifest])
        away.rename(tmp_path / "isles")
        assert noticed(client, uri, {"Z204", "Z501"})
        loose = client.open(tmp_path / "new" / "phases" / "new.rules", FAR)
        assert client.settled(loose) == []
        (tmp_path / "new" / "phases").mkdir(parents=True)
        manifest = 'id = "new"\ntitle = "New"\nversion = "1"\nextends = ["isles"]\n'
        (tmp_path / "new" / "pack.toml").write_text(manifest, encoding="utf-8")
        (tmp_path / "new" / "phases" / "new.rules").write_text(FAR, encoding="utf-8")
        assert noticed(client, loose, {"Z204", "Z501"})
        assert not client.messages
        shutil.rmtree(tmp_path / "far")
        message = client.next_message()
        assert "far.rules" in message["params"]["message"]
        assert client.settled(uri) == []
        assert client.messages == [message]
    assert client.errors.decode() == ""


def test_client_that_watches_is_asked_to(tmp_path: Path) -> None:
    able = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
    path = lay_out(tmp_path)
    with Client(tmp_path, able) as client:
        uri = client.open(path)
        client.settled(uri)
        (asked,) = client.messages
        (one,) = asked["params"]["registrations"]
        patterns = [each["globPattern"] for each in one["registerOptions"]["watchers"]]
        assert patterns == ["**/*.rules", "**/pack.toml"]
        more = path.with_name("more.rules")
        more.write_text("value {", encoding="utf-8")
        changes = [{"uri": more.as_uri(), "type": 1}]
        client.tell("workspace/didChangeWatchedFiles", changes=changes)
        client.settled(uri)
        assert client.findings[more.as_uri()]


def test_two_servers_share_a_folder(tmp_path: Path) -> None:
    path = lay_out(tmp_path)
    with Client(tmp_path) as first, Client(tmp_path) as second:
        uri = first.open(path)
        second.open(path, RULES.replace("value strength(", "value strenght("))
        assert first.settled(uri) == []
        assert "Z204" in codes(second.settled(uri))
        edit = first.about("rename", uri, spot(RULES, "strength(p"), newName="power")
        path.write_text(applied(RULES, changes_of(edit)[uri]), encoding="utf-8")
        assert "Z204" in codes(second.settled(uri))
    assert first.errors.decode() == second.errors.decode() == ""
