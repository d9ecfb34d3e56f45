"""Options that several commands share, so that they are called and explained alike everywhere."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from ziggurat import Program, Search, did_you_mean, find_packs, ir
from ziggurat.studio.console import UsageError

if TYPE_CHECKING:
    from cyclopts.completion._engine import CompletionContext

PackFolders = Annotated[
    tuple[Path, ...],
    Parameter(
        name="--packs",
        help="A folder with packs, searched before the built-in ones; may be given several times.",
        negative=(),
        consume_multiple=False,
        show_default=False,
    ),
]


def complete_stack(context: "CompletionContext") -> list[str]:
    """Return what may stand where the last pack of a stack is typed: packs and folders."""
    before, plus, begun = context.incomplete.rpartition("+")
    folder, slash, _ = begun.rpartition("/")
    here = Path(f"{folder}/" if slash else "").expanduser()
    try:
        inner = [path for path in here.iterdir() if path.is_dir() or path.suffix == ".rules"]
    except OSError:
        inner = []
    paths = [f"{folder}{slash}{path.name}{'/' if path.is_dir() else ''}" for path in inner]
    names = [] if slash else list(find_packs(Search.default()))
    return [f"{before}{plus}{name}" for name in sorted({*names, *paths}) if name.startswith(begun)]


Stack = Annotated[str, Parameter(completer=complete_stack)]
RuleOptions = Annotated[
    tuple[str, ...],
    Parameter(
        name="--option",
        help="An option of the rules, as in `last_turn=20`; may be given several times.",
        negative=(),
        consume_multiple=False,
        show_default=False,
    ),
]
Language = Annotated[
    str,
    Parameter(
        name="--language",
        help="Language of the game, such as `de`. Default: the language of your system, if there is"
        " a translation.",
        show_default=False,
    ),
]
WORDS = {"yes": True, "no": False, "true": True, "false": False}
SHORT = 5  # so many numbers are listed one by one


def search_path(folders: Sequence[Path]) -> Search:
    """The places to look for packs; a folder that was asked for and is not there is a mistake."""
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(f"there is no folder `{folder}` to look for packs in.")
    return Search.default(folders)


def named_folders(*stacks: str | None) -> tuple[Path, ...]:
    """The folders of packs that stacks name by their path, where they are found by their id."""
    return tuple(
        folder for stack in stacks if stack for folder in Search(()).including(stack).folders
    )


def read_options(given: Sequence[str], programs: Iterable[Program]) -> list[dict[str, Any]]:
    """`NAME=VALUE` for each ruleset. One that only some rulesets have is set only there."""
    out: list[dict[str, Any]] = []
    known: dict[str, ir.Option] = {}
    for text in given:
        if "=" not in text:
            raise UsageError(f"an option is given as `NAME=VALUE`, not `{text}`.")
    for program in programs:
        known.update(program.ruleset.options)
        out.append({})
        for text in given:
            name, _, value = text.partition("=")
            option = program.ruleset.options.get(name)
            if option is not None:
                out[-1][name] = _read(option, value)
    for text in given:
        name = text.partition("=")[0]
        if name not in known:
            near = did_you_mean(name, list(known))
            hint = f" {near}" if near else " `ziggurat list STACK options` shows all."
            raise UsageError(f"the rules have no option `{name}`.{hint}")
    return out


def _read(option: ir.Option, text: str) -> Any:
    value: Any = text
    if option.type.name == "int":
        try:
            value = int(text)
        except ValueError:
            raise UsageError(f"option `{option.id}` is a number, not `{text}`.") from None
    elif option.type.name == "bool":
        if text not in WORDS:
            raise UsageError(f"option `{option.id}` is `yes` or `no`, not `{text}`.")
        value = WORDS[text]
    if option.choices and value not in option.choices:
        allowed = _in_short(option.choices) or ", ".join(map(str, option.choices))
        raise UsageError(f"option `{option.id}` is one of {allowed}, not `{text}`.")
    return value


def possible_values(option: ir.Option) -> str:
    """What an option is unless set, and what else it can be: `no or yes`."""
    others = [False, True] if option.type.name == "bool" else option.choices
    if in_short := _in_short(others):
        return f"{option.default}, or {in_short}"
    values = dict.fromkeys((option.default, *others))
    return " or ".join(map(value_text, values))


def _in_short(values: Sequence[Any]) -> str:
    """Many numbers in a row by the first and the last of them, "" for what is better listed."""
    if len(values) <= SHORT or any(type(value) is not int for value in values):
        return ""
    in_row = list(values) == list(range(values[0], values[-1] + 1))
    return f"{values[0]} to {values[-1]}" if in_row else ""


def value_text(value: object) -> str:
    """The value of an option as it is typed."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
