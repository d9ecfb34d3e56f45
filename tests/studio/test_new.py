"""`ziggurat new`: packs that check, test and play at once, or nothing at all."""

from pathlib import Path

import pytest

import ziggurat
from ziggurat.studio.cli import main
from ziggurat.studio.new import answers

RACE = str(Path(__file__).parents[1] / "packs")
ENOUGH = 400
QUICK = {("board", "core")}
STACKS = ("west", "east", "mega", "expansion_project", "west+expert")
KINDS = ("variant", "advance", "calamity", "civilization", "board")
MATRIX = [
    pytest.param(kind, stack, marks=[] if (kind, stack) in QUICK else [pytest.mark.slow])
    for stack in (*STACKS, "core")
    for kind in KINDS
    if (kind, stack) != ("board", "expansion_project") and (stack != "core" or kind == "board")
]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("kind", "stack"), MATRIX)
def test_what_is_made_checks_and_plays(kind: str, stack: str) -> None:
    assert main(["new", kind, "first_try", "--on", stack]) == 0
    assert {"README.md", "pack.toml", ".editorconfig"} <= {
        one.name for one in Path("first_try").iterdir()
    }
    assert main(["check", "./first_try", "--strict"]) == 0
    assert main(["fmt", "./first_try", "--check"]) == 0
    program = ziggurat.load_program("./first_try")[0]
    assert program is not None
    game = ziggurat.start(program, min(program.ruleset.players), seed=1)
    ziggurat.play(game, ziggurat.Advised(1), limit=ENOUGH)
    assert len(list(game.events())) > 100


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "stack"), MATRIX)
def test_scenarios_pass_with_what_is_made(kind: str, stack: str) -> None:
    assert main(["new", kind, "first_try", "--on", stack]) == 0
    assert main(["test", "./first_try"]) == 0


def test_a_variant_of_any_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "variant", "mud", "--on", "race", "--packs", RACE]) == 0
    told = capsys.readouterr().out
    assert f"ziggurat test ./mud --packs {RACE}" in told
    assert main(["check", "./mud", "--strict", "--packs", RACE]) == 0
    assert main(["test", "./mud", "--packs", RACE]) == 0
    assert 'extends = ["race"]' in Path("mud/pack.toml").read_text()
    assert 'title = "Mud"' in Path("mud/pack.toml").read_text()


def test_a_translation(capsys: pytest.CaptureFixture[str]) -> None:
    more = ["--packs", RACE]
    assert main(["new", "translation", "deutsch", "--on", "race", *more]) == 0
    assert "ziggurat translate race de --into ./deutsch --packs" in capsys.readouterr().out
    assert main(["check", "./deutsch", "--strict"]) == 0
    assert main(["translate", "race", "de", "--into", "./deutsch", *more]) == 0
    assert Path("deutsch/locale/de.po").is_file()
    assert main(["pack", "./deutsch"]) == 0
    wrong = ["new", "translation", "other", "--on", "race", "--language", "x/../y", *more]
    assert main(wrong) == 2
    assert "`x/../y` cannot be the language." in capsys.readouterr().err
    assert not Path("other").exists()


# ---- a pack with a template of its own ---------------------------------------------------------


HEAD = """
title = "A trick"
[ask.price]
prompt = "What does it cost?"
from = "1..9"
default = "max(t.price for t in tricks)"
[ask.rival]
prompt = "Which trick is it better than?"
from = "{t in tricks where t.price <= $price}"
[values]
better = "1 + $price"
"""
RULES = 'trick $id "$title" { price: $better }  # better than $rival\n'


@pytest.fixture
def tricky() -> list[str]:
    """A pack upon the race with a template for a kind of its own."""
    folder = Path("packs/tricky")
    place = folder / "templates" / "trick"
    place.mkdir(parents=True)
    (folder / "pack.toml").write_text(
        'id = "tricky"\ntitle = "Tricky"\nversion = "1"\nextends = ["race"]\n'
    )
    (place / "template.toml").write_text(HEAD)
    (place / "trick.rules.template").write_text(RULES)
    return ["--packs", "packs", "--packs", RACE]


def test_a_pack_brings_templates_of_its_own(tricky: list[str]) -> None:
    assert main(["new", "trick", "wings", "--on", "tricky", "--title", "Wings", *tricky]) == 0
    assert Path("wings/trick.rules").read_text() == (
        'trick wings "Wings" { price: 4 }  # better than boots\n'
    )
    more = ["--price", "2", "--rival", "boots", "--to", "there"]
    assert main(["new", "trick", "wheels", "--on", "tricky", *more, *tricky]) == 0
    assert "price: 3" in Path("there/trick.rules").read_text()


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["trick", "a_b", "--price", "17"], "`17` cannot be the price. Possible: 1, 2, 3"),
        (["trick", "a_b", "--price", "2", "--rival", "whip"], "`whip` cannot be the rival"),
        (["trick", "a_b", "--prise", "2"], "has no `--prise`. Did you mean `price`?"),
        (["trick", "boots"], "has a trick `boots` already; take another name"),
        (["trick", "tricky"], "there is a pack `tricky` already"),
        (["trick", "Big Boots"], "Perhaps `big_boots`?"),
        (["trick", "nul"], "Windows keeps for a device"),
        (["trick", ""], "cannot be the name of a pack"),
        (["trick", "a_b", "--title", 'the "best"'], "without quotes"),
        (["trick", "a_b", "--title", "two\nlines"], "without quotes"),
        (["trick", "packs"], "`packs` exists already"),
        (["trick", "a_b", "--to", "no/such/place"], "there is no folder"),
        (["trik", "a_b"], "there is no template `trik` here. Did you mean `trick`?"),
        (["common", "a_b"], "there is no template `common` here"),
        (["", "a_b"], "say what to make: "),
    ],
)
def test_what_makes_no_sense_makes_nothing(
    more: list[str], told: str, tricky: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", *more, "--on", "tricky", *tricky]) == 2
    assert told in " ".join(capsys.readouterr().err.split())
    assert [one.name for one in Path().iterdir()] == ["packs"]


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ("title = 3", "`title` must be a text"),
        ("extend = []", "there is no key `extend`"),
        ("title = ", "cannot be used"),
        ('[ask.a]\nprompts = "x"', "there is no key `prompts`"),
        ('[values]\na = "2 +"', "is not an expression"),
        ('[values]\na = "nobody"', "cannot say what the template asks"),
        ('[values]\na = "$nobody"', "asks for `nobody`"),
        ('[ask.a]\nlike = "(a+)+"', "`like` is one of id, colour, language"),
        ('refused = "No."', "has no place for that: No."),
    ],
)
def test_broken_templates_are_told(
    head: str, told: str, tricky: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("packs/tricky/templates/trick/template.toml").write_text(head)
    assert main(["new", "trick", "wings", "--on", "tricky", *tricky]) == 2
    assert told in " ".join(capsys.readouterr().err.split())
    assert not Path("wings").exists()


def test_links_in_templates_are_not_followed(
    tricky: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "secret").write_text("a secret")
    place = Path("packs/tricky/templates/trick/secret.md.template")
    place.symlink_to(tmp_path / "secret")
    assert main(["new", "trick", "wings", "--on", "tricky", *tricky]) == 2
    assert "no plain file" in capsys.readouterr().err


def test_unknown_stacks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "variant", "mine", "--on", "wesst"]) == 2
    assert "Did you mean `west`?" in " ".join(capsys.readouterr().out.split())
    assert main(["new", "variant", "mine"]) == 2
    assert "say what it builds on, as in `--on " in capsys.readouterr().err


def test_a_person_is_asked(
    tricky: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Wrong answers are told and asked again; an empty line takes what is proposed."""
    lines = iter(["tricky", "trick", "Wings!", "wings", "", "20", "9", "whip", "no"])
    prompts = []

    class Person:
        def line(self, prompt: str, *_: object) -> str:
            prompts.append(prompt)
            return next(lines)

    monkeypatch.setattr("ziggurat.studio.commands.new.at_a_terminal", lambda: True)
    monkeypatch.setattr(answers, "reader", Person)
    assert main(["new", *tricky]) == 0
    assert prompts[-4:] == [
        *(["What does it cost? [3] "] * 2),
        "Which trick is it better than? [boots] ",
        "Play 24 games with bots now, to see how fair it is? [no] ",
    ]
    assert "`20` cannot be the price." in capsys.readouterr().out
    assert Path("wings/trick.rules").read_text() == (
        'trick wings "Wings" { price: 10 }  # better than whip\n'
    )


# ---- parts that depend on the rules ----------------------------------------------------------


PARTS = """
why = "$title comes after $cheaper_told$free."
[ask.price]
prompt = "What does it cost?"
from = "1..9"
default = "5"
[ask.rival]
prompt = "Which trick is it better than?"
from = "{t in tricks where t.price <= $price}"
none = "It is better than none."
hint = "Raise the price."
[values]
cheaper = "{t in tricks where t.price < $price}"
[part.free]
if = "any(t in tricks where t is $rival)"
text = ", above all $rival_title"
otherwise = ", and is like no other"
[part.notes]
each = "{t in tricks where t.price < $price}"
text = "# not $it_title\\n"
otherwise = "# the cheapest\\n"
"""


@pytest.mark.parametrize(
    ("answers_given", "why", "rules"),
    [
        (["--price", "5"], "A b comes after boots and whip, above all ", "# not "),
        (["--price", "1", "--rival", "none"], ", and is like no other.", "# the cheapest\n"),
    ],
)
def test_parts_depend_on_rules(
    answers_given: list[str],
    why: str,
    rules: str,
    tricky: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    place = Path("packs/tricky/templates/trick")
    (place / "template.toml").write_text(PARTS)
    (place / "trick.rules.template").write_text('${notes}trick $id "$title" { price: $price }\n')
    assert main(["new", "trick", "a_b", "--on", "tricky", *answers_given, *tricky]) == 0
    assert why in capsys.readouterr().out
    assert Path("a_b/trick.rules").read_text().startswith(rules)


def test_answer_that_is_not_possible_shows_hint(
    tricky: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("packs/tricky/templates/trick/template.toml").write_text(PARTS)
    assert main(["new", "trick", "a_b", "--on", "tricky", "--rival", "boot", *tricky]) == 2
    assert "Raise the price." in " ".join(capsys.readouterr().err.split())
    assert not Path("a_b").exists()


# ---- civilizations -------------------------------------------------------------------------------


@pytest.fixture
def lagoon() -> list[str]:
    """A board of three civilizations without a setup."""
    assert main(["new", "board", "lagoon", "--on", "west"]) == 0
    return ["new", "civilization", "reed", "--on", "lagoon", "--title", "The Reed", "--packs", "."]


def test_civilization_takes_a_place(lagoon: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*lagoon, "--instead", "easterners"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "At tables of 2 and 3 nobody else has the region of The east" in told
    assert "ziggurat simulate ./reed --players 2 --games 24 --packs ." in told
    assert (
        "modify nations() by removing {easterners}" in Path("reed/civilization.rules").read_text()
    )
    assert main(["check", "./reed", "--strict", "--packs", "."]) == 0
    assert main(["test", "./reed", "The Reed", "--packs", "."]) == 0


def test_civilization_gets_land_that_is_nobodys(lagoon: list[str]) -> None:
    Path("lagoon/west.rules").write_text(
        'region far "The far west" {}\n'
        'area marsh "The marsh" { limit: 4  region: far  x: 2  y: 40  land: limes }\n'
        'area moor "The moor" { limit: 2  region: far  x: 2  y: 80  land: limes }\n'
    )
    board = Path("lagoon/board.rules")
    text = board.read_text().replace(
        "land: cape, junipers, karst", "land: cape, junipers, karst, marsh, moor"
    )
    board.write_text(text)
    assert main([*lagoon, "--instead", "none"]) == 0
    rules = Path("reed/civilization.rules").read_text()
    assert "start: marsh" in rules
    assert "region: far" in rules
    assert "removing" not in rules
    assert main(["check", "./reed", "--strict", "--packs", "."]) == 0
    assert main(["test", "./reed", "The Reed", "--packs", "."]) == 0


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--instead", "none"], "Nothing is possible here. No two that play together share land."),
        (["--start", "grove"], "`grove` cannot be the start."),
        (["--instead", "nobody"], "`nobody` cannot be the instead."),
        (["--region", "east"], "`east` cannot be the region."),
    ],
)
def test_civilization_without_a_place_is_not_made(
    more: list[str], told: str, lagoon: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*lagoon, *more]) == 2
    assert told in " ".join(capsys.readouterr().err.split())
    assert not Path("reed").exists()


def test_civilization_whose_name_exists_is_not_made(
    lagoon: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["new", "civilization", "easterners", "--on", "lagoon", "--packs", "."]
    assert main(command) == 2
    assert "has a civilization `easterners` already" in " ".join(capsys.readouterr().err.split())
    assert not Path("easterners").exists()


def test_whoever_goes_away_gets_nothing(
    tricky: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Gone:
        def line(self, *_: object) -> str:
            raise EOFError

    monkeypatch.setattr("ziggurat.studio.commands.new.at_a_terminal", lambda: True)
    monkeypatch.setattr(answers, "reader", Gone)
    assert main(["new", "trick", "wings", "--on", "tricky", *tricky]) == 2
    assert "nothing was made" in capsys.readouterr().err


def test_an_interrupted_one_is_not_made(
    tricky: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        assert len(list(Path().iterdir())) == 2  # it is being put together in a hidden folder
        raise KeyboardInterrupt

    monkeypatch.setattr("ziggurat.studio.new.making._clean", interrupted)
    assert main(["new", "trick", "wings", "--on", "tricky", *tricky]) == 130
    assert [one.name for one in Path().iterdir()] == ["packs"]


def test_scenarios_that_end_otherwise_are_accepted(tricky: list[str]) -> None:
    """With the reason of the template, and only those that the new pack changed."""
    place = Path("packs/tricky/templates/trick")
    (place / "template.toml").write_text(f'because = "there is $title"\n{HEAD}')
    Path("packs/tricky/counted.scenarios.rules").write_text(
        'scenario "two tricks" {\n  players p1, p2\n  expect { check size(tricks) == 2 }\n}\n'
        'scenario "no tricks" {\n  players p1, p2\n  expect { check not (p1 holds boots) }\n}\n'
    )
    assert main(["new", "trick", "wings", "--on", "tricky", *tricky]) == 0
    changed = Path("wings/changed.scenarios.rules").read_text()
    assert 'expects scenario "two tricks" otherwise because "there is Wings"' in changed
    assert "check size(tricks) == 3" in changed
    assert "no tricks" not in changed
    assert main(["test", "./wings", *tricky]) == 0


@pytest.mark.parametrize("rows", ["", "..../.. ./...."])
def test_a_game_of_its_own(rows: str) -> None:
    assert main(["new", "game", "mine", *(["--rows", rows] if rows else [])]) == 0
    assert main(["check", "./mine", "--strict"]) == 0
    assert main(["fmt", "./mine", "--check"]) == 0
    assert main(["test", "./mine"]) == 0
    program = ziggurat.load_program("./mine")[0]
    assert program is not None
    for players in program.ruleset.players:
        for policy in (ziggurat.Random(players), ziggurat.Advised(players)):
            game = ziggurat.start(program, players, seed=players)
            ziggurat.play(game, policy)
            assert game.over
    assert len(program.ruleset.things.get("square", {})) == rows.count(".")


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["game", "mine", "--rows", "ab"], "`a` has no meaning in the rows of a board"),
        (["game", "mine", "--rows", ". ."], "two squares that touch"),
        (["game", "mine", "--rows", "/".join(["."] * 27)], "at most 26 rows"),
        (["game", "mine", "--on", "west"], "it builds on nothing"),
        (["game", "mine", "--cost", "3"], "it asks for no such thing"),
        (["variant", "mine", "--on", "west", "--rows", ".."], "only `new game` has `--rows`"),
    ],
)
def test_a_game_that_cannot_be_made(
    command: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", *command]) == 2
    assert told in capsys.readouterr().err
    assert not Path("mine").exists()


def test_a_person_who_builds_on_nothing_makes_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = iter(["nothing", "mine", "My game"])

    class Person:
        def line(self, *_: object) -> str:
            return next(lines)

    monkeypatch.setattr("ziggurat.studio.commands.new.at_a_terminal", lambda: True)
    monkeypatch.setattr(answers, "reader", Person)
    assert main(["new"]) == 0
    assert 'title = "My game"' in Path("mine/pack.toml").read_text()
