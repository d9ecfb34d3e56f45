"""Templates: what a new pack is made of, before it is filled in.

A template is a folder `templates/KIND` of a pack: files that end in `.template`, and a
`template.toml` that says what is asked. All packs of a stack may add to it: the files of a later
pack replace those of the same name, and what its `template.toml` says replaces what was said. A
pack may be a stranger's, so links, large files and names that lead elsewhere are refused.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import attrs

from ziggurat import Pack, did_you_mean
from ziggurat.studio.console import UsageError
from ziggurat.studio.new.games import GAMES

FOLDER = "templates"
HEAD = "template.toml"
SUFFIX = ".template"
COMMON = "common"
OWN = Path(__file__).parents[1] / FOLDER
MOST_FILES = 100
MOST_BYTES = 100_000
WORD = re.compile(r"[a-z][a-z0-9_]*")
NAME = re.compile(r"\.?[A-Za-z0-9_$][A-Za-z0-9_$.-]*")
LISTS = ("extends", "commands")
# Of what shape a text may have to be. A pattern of a stranger could take for ever.
SHAPES = {
    "id": re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*"),
    "colour": re.compile(r"#[0-9a-f]{6}"),
    "language": re.compile(r"[a-z]{2,3}(_[A-Z]{2})?"),
}
ASK = ("prompt", "from", "default", "like", "none", "hint")
PART = ("each", "if", "text", "otherwise")
TEXTS = ("title", "because", "readme", "refused", "why", "measure")


@attrs.frozen
class Ask:
    """A question of a template.

    `choices` and `default` are expressions of the rules; without choices the answer is any text, or
    one of a shape (`like`), and so is the default. If `none` says what it means, `none` is possible
    besides the choices. `hint` says what to do about an answer that is not possible.
    """

    name: str
    prompt: str
    choices: str = ""
    default: str = ""
    like: str = ""
    none: str = ""
    hint: str = ""


@attrs.frozen
class Part:
    """A text that depends on the rules: once for `each` member of a set, or `if` a condition holds.

    In the text for a member, `$it` is its id and `$it_title` its title.
    """

    name: str
    each: str = ""
    condition: str = ""
    text: str = ""
    otherwise: str = ""


@attrs.frozen
class Template:
    """What a new pack of some kind is made of.

    `extends` are the packs it builds on instead of the stack, `because` is why scenarios may end
    otherwise with it, `refused` why there can be none, `why` explains the answers that were
    proposed, `commands` are what to try with it, and `measure` is the simulation to try.
    """

    kind: str
    title: str = ""
    because: str = ""
    readme: str = ""
    refused: str = ""
    why: str = ""
    measure: str = "simulate $place --players $number --games $games"
    extends: tuple[str, ...] = ()
    commands: tuple[str, ...] = ("check $place --strict", "test $place", "play $place")
    asks: tuple[Ask, ...] = ()
    values: dict[str, str] = attrs.field(factory=dict)
    parts: dict[str, Part] = attrs.field(factory=dict)
    files: dict[str, str] = attrs.field(factory=dict)


def kinds(packs: Iterable[Pack]) -> list[str]:
    """Return what can be made on these packs."""
    places = [OWN, *(Path(pack.path) / FOLDER for pack in packs)]
    found = (one.name for place in places if place.is_dir() for one in place.iterdir())
    return sorted({name for name in found if WORD.fullmatch(name)} - {COMMON, *GAMES})


def game_template(kind: str) -> Template:
    """Return the template of a game that builds on nothing."""
    return _added(_added(Template(kind, measure=""), OWN / COMMON), OWN / kind)


def template(kind: str, packs: Iterable[Pack]) -> Template:
    """Return the template of a kind: what all of these packs say about it, put together."""
    packs = list(packs)
    known = kinds(packs)
    if kind not in known:
        advice = did_you_mean(kind, known) or f"There are: {', '.join(known)}."
        raise UsageError(f"there is no template `{kind}` here. {advice}")
    own = [OWN / COMMON, OWN / kind]
    places = [*own, *(Path(pack.path) / FOLDER / kind for pack in packs)]
    found = Template(kind)
    for place in places:
        if place.is_dir():
            found = _added(found, place)
    return found


def _added(found: Template, place: Path) -> Template:
    said = _Head(place / HEAD).read() if (place / HEAD).is_file() else {}
    said["values"] = found.values | said.get("values", {})
    said["parts"] = found.parts | said.get("parts", {})
    said["files"] = found.files | dict(_files(place))
    return attrs.evolve(found, **said)


def _files(place: Path) -> Iterator[tuple[str, str]]:
    for number, path in enumerate(sorted(place.rglob(f"*{SUFFIX}"))):
        name = path.relative_to(place).as_posix().removesuffix(SUFFIX)
        if path.is_symlink() or not path.is_file() or not is_safe(name) or number >= MOST_FILES:
            raise UsageError(
                f"the template `{path}` cannot be used: it is no plain file of a pack."
            )
        yield name, _text(path)


def is_safe(name: str) -> bool:
    """Return whether a file of this name stays in its folder, on every system."""
    return all(NAME.fullmatch(part) and not part.endswith(".") for part in name.split("/"))


def _text(path: Path) -> str:
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise UsageError(f"the template `{path}` is larger than {MOST_BYTES:,} bytes.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"the template `{path}` is not UTF-8.") from None


class _Head:
    """Reads one `template.toml`. Every key must be known and of the right type."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> dict[str, Any]:
        try:
            said = tomllib.loads(_text(self.path))
        except tomllib.TOMLDecodeError as wrong:
            raise self.wrong(str(wrong)) from None
        asks = self.table(said, "ask", dict)
        out: dict[str, Any] = {key: self.text(said, key) for key in TEXTS if key in said}
        if asks:
            out["asks"] = tuple(self.ask(name, one) for name, one in asks.items())
        for key in LISTS:
            if key in said:
                out[key] = tuple(map(str, self.entries(said[key], key)))
        parts = self.table(said, "part", dict)
        out["parts"] = {name: self.part(name, one) for name, one in parts.items()}
        out["values"] = self.table(said, "values", str)
        self.only(said, (*TEXTS, *LISTS, "ask", "part", "values"))
        return out

    def ask(self, name: str, said: dict[str, Any]) -> Ask:
        self.only(said, ASK)
        if said.get("like", "id") not in SHAPES:
            raise self.wrong(f"`like` is one of {', '.join(SHAPES)}")
        return Ask(name, *(self.text(said, key) for key in ASK))

    def part(self, name: str, said: dict[str, Any]) -> Part:
        self.only(said, PART)
        if ("each" in said) == ("if" in said):
            raise self.wrong(f"`part.{name}` says either `each` or `if`")
        return Part(name, *(self.text(said, key) for key in PART))

    def wrong(self, why: str) -> UsageError:
        return UsageError(f"the template `{self.path}` cannot be used: {why}.")

    def only(self, said: dict[str, Any], keys: tuple[str, ...]) -> None:
        for key in said:
            if key not in keys:
                raise self.wrong(f"there is no key `{key}`; there are {', '.join(keys)}")

    def text(self, said: dict[str, Any], key: str) -> str:
        if not isinstance(said.get(key, ""), str):
            raise self.wrong(f"`{key}` must be a text")
        return str(said.get(key, ""))

    def entries(self, said: Any, key: str) -> list[Any]:
        if not isinstance(said, list):
            raise self.wrong(f"`{key}` must be a list")
        return said

    def table(self, said: dict[str, Any], key: str, type_: type) -> dict[str, Any]:
        found = said.get(key, {})
        fits = isinstance(found, dict) and all(isinstance(one, type_) for one in found.values())
        if not fits or not all(WORD.fullmatch(name) for name in found):
            raise self.wrong(f"`{key}` is a table of names and what belongs to them")
        return dict(found)
