"""Printing in names that both rulesets share, and in names that do not matter."""

from collections.abc import Mapping, Sequence

from ziggurat.dsl.comparing.parts import Part, Tell
from ziggurat.dsl.comparing.subjects import Subject, subjects
from ziggurat.dsl.printing.declarations import Declarations
from ziggurat.dsl.printing.index import Index
from ziggurat.dsl.printing.layout import Line
from ziggurat.dsl.printing.lexicon import NO_RENAMES, Lexicon
from ziggurat.dsl.printing.printer import Printer
from ziggurat.runtime.kernel import Ruleset

Renames = Mapping[tuple[str, str], str]
_KEPT = frozenset({"it"})


class Numbering(Printer):
    """Calls locals by the order in which they first appear: names of locals mean nothing."""

    def __init__(
        self,
        lexicon: Lexicon,
        wording: bool = False,
        aliases: Mapping[str, str] | None = None,
        numbers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(lexicon, wording, aliases)
        self.numbers = {} if numbers is None else numbers

    def called(self, aliases: Mapping[str, str]) -> "Numbering":
        both = {**self.aliases, **aliases}
        return Numbering(self.lexicon, self.wording, both, self.numbers)

    def local(self, name: str) -> str:
        known = self.aliases.get(name)
        if known is not None or name in _KEPT:
            return known or name
        return self.numbers.setdefault(name, f"${len(self.numbers) + 1}")


class Reading:
    """One ruleset as a side of a comparison: its subjects, its own words and the common ones."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.index = Index(ruleset)
        self.subjects = subjects(ruleset, self.index)
        printer = Printer(Lexicon.of(ruleset), wording=False)
        self.own = Declarations(ruleset, printer, self.index)
        self.common = self._printing(printer)
        self.renames: Renames = NO_RENAMES
        self._meanings: dict[int, list[Line]] = {}
        self._nameless: dict[tuple[int, bool], list[Line]] = {}

    def rename(self, renames: Renames) -> None:
        """Speak of everything by the name it has on the other side."""
        self.renames = dict(renames)
        self._meanings.clear()
        self._nameless.clear()
        lexicon = Lexicon.of(self.ruleset, renames)
        self.common = self._printing(Printer(lexicon, wording=False))

    def words(self, part: Part | Subject) -> list[Line]:
        """For people: the names of this side."""
        return part.tell(self.own)

    def meaning(self, part: Part | Subject) -> list[Line]:
        """For comparing: the names of the other side."""
        known = self._meanings.get(id(part))
        if known is None:
            known = self._meanings[id(part)] = part.tell(self.common)
        return known

    def nameless(self, part: Part) -> list[Line]:
        """For comparing, with locals by number: their names mean nothing."""
        return self._numbered(part, part.tell)

    def nameless_whole(self, part: Part) -> list[Line]:
        """The same for all of the block a part was cut from."""
        return self._numbered(part, part.whole or part.tell)

    def key(self, subject: Subject) -> tuple[str, str]:
        """The (sort, id) of a subject on the other side."""
        return subject.sort, self.renames.get(subject.key, subject.id)

    def _numbered(self, part: Part, tell: Tell) -> list[Line]:
        key = (id(part), tell is part.tell)
        if key not in self._nameless:
            printer = Numbering(self.common.printer.lexicon)
            for name in part.params:
                printer.local(name)
            self._nameless[key] = tell(self._printing(printer))
        return self._nameless[key]

    def _printing(self, printer: Printer) -> Declarations:
        return Declarations(self.ruleset, printer, self.index, sorting=True)


def texts(lines: Sequence[Line]) -> tuple[tuple[int, str], ...]:
    """What is compared of lines."""
    return tuple((line.depth, line.text) for line in lines)
