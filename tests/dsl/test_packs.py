"""Packs on disk and stacks of them: what is found, in which order, and what is refused."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.effort import for_text, within
from ziggurat.dsl import packs
from ziggurat.dsl.diagnostics import Diagnostic, Source
from ziggurat.dsl.manifest import parse_manifest
from ziggurat.dsl.packs import (
    Search,
    find_packs,
    load_pack,
    read_rules_file,
    read_sources,
    resolve_stack,
)

Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Write a pack below the temporary folder: `make("west", extends=["core"])`."""

    def write(pack_id: str, rules: dict[str, str] | None = None, **keys: object) -> Path:
        folder = tmp_path / pack_id
        folder.mkdir(parents=True, exist_ok=True)
        told = {"id": folder.name, "title": folder.name, "version": "1.0"} | keys
        text = "".join(f"{key} = {_toml(value)}\n" for key, value in told.items())
        (folder / "pack.toml").write_text(text, encoding="utf-8")
        for name, content in (rules or {}).items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        return folder

    return write


def _toml(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_toml(item) for item in value)}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def manifest(tmp_path: Path, text: str) -> tuple[packs.Pack, list[tuple[str, str]]]:
    """A pack from the text of its `pack.toml`, and (code, underlined text) of each finding."""
    folder = tmp_path / "west"
    folder.mkdir(exist_ok=True)
    (folder / "pack.toml").write_text(text, encoding="utf-8")
    pack = load_pack(folder, in_search=True)
    return pack, [(found.code, found.span.text if found.span else "") for found in pack.findings]


def order(text: str, folder: Path) -> str:
    stack, findings = resolve_stack(text, Search((folder,)))
    assert stack is not None, findings
    assert findings == []
    return " ".join(stack.ids)


def refusal(text: str, folder: Path) -> Diagnostic:
    stack, findings = resolve_stack(text, Search((folder,)))
    assert stack is None
    assert len(findings) == 1, findings
    return findings[0]


# pack.toml

FULL = """\
id = "west"
title = "Western Empires"
edition = "2019"
version = "1.0.0"
engine = ">=0.1"
extends = ["core>=1,<2"]
requires = ["maps"]
optional = ["expert"]
conflicts = ["east", "old<2"]
players = "5-9"
authors = ["Ada", "Ben"]
licence = "CC-BY-4.0"
notes = "For tests."
[sources]
W = "Western Empires, rulebook, 2019"
"""


def test_everything_a_pack_may_say(tmp_path: Path) -> None:
    pack, findings = manifest(tmp_path, FULL)
    assert findings == []
    assert (pack.id, pack.title, pack.edition) == ("west", "Western Empires", "2019")
    assert (str(pack.version), str(pack.engine), pack.players) == ("1.0.0", ">=0.1", (5, 9))
    assert [need.id for need in (*pack.extends, *pack.requires, *pack.optional)] == [
        "core",
        "maps",
        "expert",
    ]
    assert str(pack.conflicts[1].versions) == "<2"
    assert pack.sources == {"W": "Western Empires, rulebook, 2019"}
    assert (pack.authors, pack.licence, pack.notes) == (("Ada", "Ben"), "CC-BY-4.0", "For tests.")
    assert pack.span("conflicts", "old<2").text == "old<2"
    assert str(pack.span("id")) == "west/pack.toml:1:6"
    assert hash(pack) == hash(load_pack(tmp_path / "west"))


BASE = 'id = "west"\ntitle = "W"\nversion = "1"\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (BASE + 'extend = ["core"]', [("Z012", "extend")]),
        (BASE + "[source]\nW = 'x'", [("Z012", "source")]),
        (BASE + "[sources]\nW = 'x'\nplayers = 3", [("Z013", "3")]),
        (BASE + "players = 5", [("Z013", "5")]),
        (BASE + 'players = "9-5"', [("Z019", '"9-5"')]),
        (BASE + 'players = "0"', [("Z019", '"0"')]),
        (BASE + 'players = "some"', [("Z019", '"some"')]),
        (BASE + 'extends = "core"', [("Z013", '"core"')]),
        (BASE + "authors = [1]", [("Z013", "1")]),
        (BASE + "sources = 1", [("Z013", "1")]),
        (BASE + 'requires = [\n  "ok",\n  "core version 1",\n]', [("Z018", "core version 1")]),
        (BASE + 'requires = ["core[extra]"]', [("Z018", "core[extra]")]),
        (BASE + 'requires = ["Core"]', [("Z018", "Core")]),
        (BASE + 'extends = ["../core"]', [("Z006", "../core")]),
        (BASE + 'extends = ["/core"]', [("Z006", "/core")]),
        (BASE + 'engine = "new"', [("Z018", '"new"')]),
        ('id = "west"\ntitle = "W"\nversion = "first"', [("Z017", '"first"')]),
        ('id = "west"\nversion = "1"', [("Z014", "")]),
        ('title = "W"\nversion = "1"', [("Z014", "")]),
        ('id = "West!"\ntitle = "W"\nversion = "1"', [("Z015", '"West!"')]),
        ('id = "east"\ntitle = "W"\nversion = "1"', [("Z016", '"east"')]),
        ('id = west\ntitle = "W"', [("Z011", "west")]),
        (BASE + "id = 'twice'", [("Z011", "id = 'twice'")]),
    ],
)
def test_mistakes_in_pack_toml(tmp_path: Path, text: str, expected: list[tuple[str, str]]) -> None:
    assert manifest(tmp_path, text)[1] == expected


def test_a_syntax_error_points_at_its_line(tmp_path: Path) -> None:
    pack, _ = manifest(tmp_path, 'id = "west"\ntitle = oops\n')
    span = pack.findings[0].span
    assert span is not None
    assert (span.line, span.column) == (2, 9)
    pack, _ = manifest(tmp_path, 'id = "west')
    assert "no closing quotation mark" in pack.findings[0].message


def test_an_unknown_key_suggests_the_nearest(tmp_path: Path) -> None:
    pack, _ = manifest(tmp_path, BASE + 'player = "5"')
    assert pack.findings[0].suggestion == "Did you mean `players`?"


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 20_000,
        "a." * 20_000 + "b = 1",
        "a = " + "9" * 20_000,
        "id = '''" + "x\n" * 20_000,
        "[" * 50_000,
        "\n" * 60_000 + "=",
    ],
)
def test_absurd_manifests_are_findings_at_once(tmp_path: Path, text: str) -> None:
    _, findings = within(for_text(text), lambda: manifest(tmp_path, text))
    assert findings


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: (FULL + text).encode()))
@settings(max_examples=300)
def test_no_pack_toml_raises(tmp_path: Path, data: bytes) -> None:
    folder = tmp_path / "west"
    folder.mkdir(exist_ok=True)
    (folder / "pack.toml").write_bytes(data)
    assert load_pack(folder).findings or b"version" in data


# Finding packs


def test_packs_are_found_directly_and_under_variants(make: Make, tmp_path: Path) -> None:
    make("core")
    make("variants/expert")
    (tmp_path / "not_a_pack").mkdir()
    assert list(find_packs(Search((tmp_path,)))) == ["core", "expert"]


def test_the_first_folder_wins(make: Make, tmp_path: Path) -> None:
    make("a/core", version="1.0")
    make("b/core", version="2.0")
    search = Search((tmp_path / "b", tmp_path / "a"))
    assert str(find_packs(search)["core"].version) == "2.0"
    stack, _ = resolve_stack("core", search)
    assert stack is not None
    assert str(stack.pack("core").version) == "2.0"


def test_two_packs_of_one_name_in_one_folder(make: Make, tmp_path: Path) -> None:
    make("expert")
    make("variants/expert")
    assert refusal("expert", tmp_path).code == "Z027"


def test_a_misnamed_pack_is_found_by_its_id_and_said_so(make: Make, tmp_path: Path) -> None:
    make("western", id="west")
    stack, findings = resolve_stack("west", Search((tmp_path,)))
    assert stack is not None
    assert [found.code for found in findings] == ["Z016"]


def test_a_search_folder_may_be_a_pack_or_missing(make: Make, tmp_path: Path) -> None:
    search = Search((make("core"), tmp_path / "nowhere"))
    assert list(find_packs(search)) == ["core"]
    assert order("core", tmp_path / "core") == "core"


def test_the_environment_names_folders(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make("a/one")
    make("b/two")
    monkeypatch.setenv("ZIGGURAT_PACKS", os.pathsep.join([str(tmp_path / "a"), "", "nowhere"]))
    search = Search.default([tmp_path / "b"])
    assert search.folders == (tmp_path / "b", tmp_path / "a", Path("nowhere"), packs.BUILT_IN)
    assert {"one", "two"} <= set(find_packs(search))


def test_built_in_packs_are_without_findings() -> None:
    assert {pack.id: pack.findings for pack in find_packs(Search()).values() if pack.findings} == {}


# Stacks


def test_what_a_pack_builds_on_comes_first(make: Make, tmp_path: Path) -> None:
    make("core")
    make("maps", requires=["core"])
    make("west", extends=["core"], requires=["maps"])
    make("expert", extends=["west"])
    make("alone")
    assert order("west", tmp_path) == "core maps west"
    assert order("expert", tmp_path) == "core maps west expert"
    assert order("west+expert", tmp_path) == "core maps west expert"
    assert order("alone+west", tmp_path) == "core maps alone west"
    assert order("west+alone", tmp_path) == "core maps west alone"
    assert order("core + west", tmp_path) == "core maps west"


def test_a_stack_knows_what_was_written_and_what_builds_on_what(make: Make, tmp_path: Path) -> None:
    make("core")
    make("west", extends=["core"])
    make("expert", extends=["west"])
    make("alone")
    stack, _ = resolve_stack("expert+alone", Search((tmp_path,)))
    assert stack is not None
    assert (stack.name, stack.written) == ("expert+alone", ("expert", "alone"))
    assert stack.builds_on("expert", "core")
    assert not stack.builds_on("core", "expert")
    assert not stack.builds_on("alone", "core")
    assert not stack.builds_on("core", "core")


def test_optional_packs_are_ordered_but_not_brought_in(make: Make, tmp_path: Path) -> None:
    make("maps")
    make("west", optional=["maps", "never_written"])
    assert order("west", tmp_path) == "west"
    assert order("maps+west", tmp_path) == "maps west"
    assert refusal("west+maps", tmp_path).code == "Z026"


def test_unknown_packs(make: Make, tmp_path: Path) -> None:
    make("expert")
    make("west", extends=["cor"])
    make("core")
    found = refusal("exprt", tmp_path)
    assert (found.code, found.suggestion) == ("Z020", "Did you mean `expert`?")
    assert found.span is not None
    assert found.span.text == "exprt"
    found = refusal("west", tmp_path)
    assert (found.code, found.suggestion, str(found.span)) == (
        "Z020",
        "Did you mean `core`?",
        "west/pack.toml:4:13",
    )
    assert "ziggurat packs" in (refusal("zzzzzz", tmp_path).suggestion or "")


def test_conflicts_name_both_packs_once(make: Make, tmp_path: Path) -> None:
    make("west", conflicts=["east"])
    make("east", conflicts=["west", "old<2"])
    make("old", version="2.1")
    found = refusal("west+east", tmp_path)
    assert found.code == "Z023"
    assert found.span is not None
    assert found.span.text == "east"
    assert str(found.notes[0].span).startswith("west/pack.toml:4:")
    assert order("east+old", tmp_path) == "east old"


def test_conflicts_between_packs_nobody_wrote(make: Make, tmp_path: Path) -> None:
    make("a", conflicts=["b"])
    make("b")
    make("both", extends=["a", "b"])
    found = refusal("both", tmp_path)
    assert (found.code, str(found.span)) == ("Z023", "a/pack.toml:4:15")


def test_version_ranges(make: Make, tmp_path: Path) -> None:
    make("core", version="1.4")
    make("west", extends=["core>=2"])
    make("fine", extends=["core>=1,<2"])
    found = refusal("west", tmp_path)
    assert (found.code, found.span and found.span.text) == ("Z022", "core>=2")
    assert str(found.notes[0].span) == "core/pack.toml:3:11"
    assert order("fine", tmp_path) == "core fine"


def test_engine_range(make: Make, tmp_path: Path) -> None:
    make("future", engine=">=99")
    make("now", engine=">=0.1")
    found = refusal("future", tmp_path)
    assert (found.code, found.span and found.span.text) == ("Z021", '">=99"')
    assert order("now", tmp_path) == "now"


@pytest.mark.parametrize("length", [2, 3, 1500])
def test_cycles(make: Make, tmp_path: Path, length: int) -> None:
    for n in range(length):
        make(f"p{n}", extends=[f"p{(n + 1) % length}"])
    found = refusal("p0", tmp_path)
    assert found.code == "Z024"
    assert "`p0` → " in found.message


def test_order_contradictions(make: Make, tmp_path: Path) -> None:
    make("core")
    make("west", extends=["core"])
    make("expert", extends=["west"])
    found = refusal("expert+west", tmp_path)
    assert (found.code, found.suggestion) == ("Z026", "Write `west` before `expert`.")
    assert refusal("expert+core", tmp_path).code == "Z026"


@pytest.mark.parametrize(
    ("text", "code"),
    [("west+west", "Z025"), ("", "Z028"), ("west+", "Z028"), ("west++west", None), (" + ", None)],
)
def test_malformed_stacks(make: Make, tmp_path: Path, text: str, code: str | None) -> None:
    make("west")
    stack, findings = resolve_stack(text, Search((tmp_path,)))
    assert stack is None
    assert code is None or [found.code for found in findings] == [code]


def test_harmless_mistakes_do_not_stop_linking(make: Make, tmp_path: Path) -> None:
    make("west", players="many")
    stack, findings = resolve_stack("west", Search((tmp_path,)))
    assert stack is not None
    assert [found.code for found in findings] == ["Z019"]


def test_a_folder_may_stand_for_a_pack(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make("packs/core")
    make("mine/odd+name", id="mine", extends=["core"])
    monkeypatch.chdir(tmp_path)
    assert order("mine/odd+name", tmp_path / "packs") == "core mine"
    (tmp_path / "mine/odd+name").rename(tmp_path / "plain")
    assert order("core+./plain", tmp_path / "packs") == "core mine"
    assert order("plain", tmp_path / "packs") == "core mine"
    assert refusal("./nowhere", tmp_path).code == "Z007"
    assert refusal("./mine", tmp_path).code == "Z010"


@example("~\0")
@given(st.text(max_size=40))
def test_no_stack_text_raises(tmp_path: Path, text: str) -> None:
    assert isinstance(resolve_stack(text, Search((tmp_path,)))[1], list)


# Reading files


def read(folder: Path) -> tuple[list[str], list[tuple[str, str]]]:
    stack, findings = resolve_stack(str(folder), Search(()))
    assert stack is not None or findings
    sources, more = read_sources(stack) if stack else ([], [])
    told = [(found.code, found.span.source.path if found.span else "") for found in findings + more]
    return [source.path for source in sources], told


def test_rules_files_are_read_sorted_with_portable_names(make: Make, tmp_path: Path) -> None:
    make("core", {"z.rules": "z", "a/b.rules": "b", "a.rules": "a", "x.txt": "", ".#a.rules": "!"})
    make("west", {"w.rules": "w"}, extends=["core"])
    stack, _ = resolve_stack("west", Search((tmp_path,)))
    assert stack is not None
    sources, findings = read_sources(stack)
    assert findings == []
    assert [(source.pack, source.path, source.text) for source in sources] == [
        ("core", "core/a.rules", "a"),
        ("core", "core/a/b.rules", "b"),
        ("core", "core/z.rules", "z"),
        ("west", "west/w.rules", "w"),
    ]


def test_line_ends_and_marks_of_editors_do_not_matter(make: Make) -> None:
    folder = make("core")
    (folder / "a.rules").write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree\n")
    source, _ = read_rules_file(folder / "a.rules")
    assert source is not None
    assert source.text == "one\ntwo\nthree\n"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"x" * 1_000_000, None),
        (b"x" * 1_000_001, "Z002"),
        (b"x" * 10_000_000, "Z002"),
        (b"caf\xe9", "Z003"),
        (b"\x89PNG\0\xff", "Z004"),
        (b'skill s "\x1b[31mRed" {}\n', "Z004"),
        ('skill s "\u009b31mRed" {}\n'.encode(), "Z004"),
        (b"", None),
    ],
)
def test_what_is_not_text_is_a_finding_at_once(make: Make, data: bytes, code: str | None) -> None:
    folder = make("core", {"good.rules": "fine"})
    (folder / "bad.rules").write_bytes(data)
    names, findings = within(50_000, lambda: read(folder))
    assert findings == ([(code, "core/bad.rules")] if code else [])
    assert ("core/bad.rules" in names) is (code is None)
    assert "core/good.rules" in names


def test_the_bad_byte_is_pointed_at(make: Make) -> None:
    folder = make("core")
    (folder / "a.rules").write_bytes("é\r\nx ".encode() + b"\xff")
    _, findings = read_rules_file(folder / "a.rules")
    assert str(findings[0].span).endswith("a.rules:2:3")


def test_links_cannot_leave_a_pack(make: Make, tmp_path: Path) -> None:
    (tmp_path / "secret.rules").write_text("secret")
    (tmp_path / "outside").mkdir()
    folder = make("core", {"real.rules": "real"})
    (folder / "out.rules").symlink_to("../secret.rules")
    (folder / "in.rules").symlink_to("real.rules")
    (folder / "gone.rules").symlink_to("nowhere.rules")
    assert read(folder) == (
        ["core/in.rules", "core/real.rules"],
        [("Z007", "core/gone.rules"), ("Z006", "core/out.rules")],
    )
    (folder / "folder").symlink_to("../outside")
    assert read(folder) == ([], [("Z006", "core/folder")])


def test_the_manifest_cannot_be_a_link_outwards(make: Make, tmp_path: Path) -> None:
    folder = make("core")
    (folder / "pack.toml").rename(tmp_path / "elsewhere.toml")
    (folder / "pack.toml").symlink_to(tmp_path / "elsewhere.toml")
    assert read(folder) == ([], [("Z006", "core/pack.toml")])


def test_a_pack_may_itself_be_a_link(make: Make, tmp_path: Path) -> None:
    folder = make("far/away", {"a.rules": "a"}, id="core")
    (tmp_path / "core").symlink_to(folder)
    assert order("core", tmp_path) == "core"


def test_folders_in_a_circle_end(make: Make) -> None:
    folder = make("core", {"a.rules": "a"})
    (folder / "again").symlink_to(folder)
    (folder / "self.rules").symlink_to("self.rules")
    assert {code for code, _ in read(folder)[1]} <= {"Z001", "Z006"}


def test_too_many_files(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make("core", {f"{n}.rules": "" for n in range(6)})
    monkeypatch.setattr(packs, "PACK_FILES", 6)
    assert read(folder)[1] == []
    monkeypatch.setattr(packs, "PACK_FILES", 5)
    assert read(folder) == ([], [("Z005", "core/pack.toml")])
    assert packs.BUILT_IN.name == "content"


def test_a_pipe_is_not_waited_for(make: Make) -> None:
    folder = make("core")
    os.mkfifo(folder / "pipe.rules")
    assert read(folder) == ([], [("Z001", "core/pipe.rules")])


def test_odd_bytes_in_file_names(make: Make) -> None:
    folder = make("core")
    try:
        (folder / os.fsdecode(b"caf\xe9.rules")).write_text("x")
    except OSError:
        pytest.skip("this file system allows no such names")
    names, findings = read(folder)
    assert names == ["core/caf?.rules"]
    assert findings == []


def test_single_files(tmp_path: Path) -> None:
    source, findings = read_rules_file(tmp_path / "nowhere.rules")
    assert source is None
    assert [found.code for found in findings] == ["Z007"]
    assert read_rules_file(tmp_path)[1][0].code == "Z001"


def test_packs_that_leave_rules_to_others_are_no_game() -> None:
    for name, instead in (("core", "east"), ("expert", "east+expert")):
        stack, findings = resolve_stack(name, Search.default())
        assert stack is None
        (finding,) = findings
        assert finding.code == "Z029"
        assert instead in (finding.suggestion or "")
    assert resolve_stack("west+expert", Search.default())[0] is not None


def test_manifests_say_no_control_characters() -> None:
    title, sources = r'title = "\u001b[31mRed"', '[sources]\nA = "\\u0007"'
    text = f'id = "red"\nversion = "1"\n{title}\n{sources}\n'
    found = parse_manifest(Source("red/pack.toml", text), "red")
    assert (found.title, found.sources) == ("[31mRed", {"A": ""})
    assert [one.code for one in found.findings] == ["Z004", "Z004"]
