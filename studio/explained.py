"""Explanations as people read them: a tree, what decided first, a page unless more is asked for."""

from collections.abc import Sequence

from rich.console import Console, RenderableType
from rich.text import Text
from rich.tree import Tree

from ziggurat import Clause, Explanation, Happening, Reason, Verdict

PAGE = 40
DEPTH = 2
ANSWERS = 12  # of those that led to something
Told = Explanation | Verdict | Happening


def tell(out: Console, found: Told, depth: int | None = None) -> None:
    """Print an explanation as deep as told, or as a page holds."""
    for line in () if isinstance(found, Happening) else found.assumed:
        out.print(f"Note: {line}", style="yellow", markup=False)
    out.print(on_a_page(out, found) if depth is None else _tree(found, depth))


def on_a_page(out: Console, found: Told) -> RenderableType:
    """An explanation as deep as a page holds; it says so if there is more."""
    for depth in range(DEPTH, -1, -1):
        tree = _tree(found, depth)
        lines = out.render_lines(tree, pad=False)
        if len(lines) <= PAGE:
            break
    else:
        written = "\n".join("".join(one.text for one in line) for line in lines[:PAGE])
        return Text(f"{written.rstrip()}\n… {len(lines) - PAGE} lines more: `--depth 0`")
    if depth < DEPTH and _is_deeper(found, depth):
        tree.add(Text(f"more with `--depth {depth + 1}`", "dim"))
    return tree


def _is_deeper(found: Told, depth: int) -> bool:
    if isinstance(found, Verdict):
        return found.refusal is not None and bool(found.refusal.parts)
    return isinstance(found, Happening) or bool(found.parts)


def _tree(found: Told, depth: int) -> Tree:
    if isinstance(found, Happening):
        return _happened(found, depth)
    return explained(found, depth) if isinstance(found, Explanation) else _judged(found, depth)


def explained(told: Explanation, depth: int = DEPTH, inner: bool = False) -> Tree:
    """A result and where it came from, as a tree; what does not apply is only counted inside."""
    head = Text.assemble((told.text, "bold"), " is ", (told.result, "bold green"))
    tree = Tree(_with_source(head, told.cites, told.where))
    _add_reasons(tree, told.why)
    if told.base and not told.why:
        base = Text(f"base {told.base}")
        tree.add(base.append(f"  = {told.formula}", "dim") if told.formula else base)
    idle = [clause for clause in told.clauses if inner and not clause.applies]
    for clause in told.clauses:
        if clause not in idle:
            _add_clause(tree, clause)
    if idle:
        does = "clause does" if len(idle) == 1 else "clauses do"
        tree.add(Text(f"{len(idle)} {does} not apply", "dim"))
    if depth and told.parts:
        parts = tree.add(Text("made from", "dim")) if told.base or told.why else tree
        for part in told.parts:
            parts.add(explained(part, depth - 1, inner=True))
    return tree


def _add_reasons(tree: Tree, reasons: Sequence[Reason]) -> None:
    for reason in reasons:
        answer = ("yes", "green") if reason.holds else ("no", "red")
        _add_reasons(tree.add(Text.assemble(f"{reason.text}: ", answer)), reason.parts)


def _add_clause(tree: Tree, clause: Clause) -> None:
    if clause.applies:
        text = Text.assemble((clause.change, "bold"), f" by {clause.source}, makes {clause.after}")
    else:
        text = Text(f"{clause.change} by {clause.source} does not apply", "dim")
    if clause.reason:
        text.append(f' "{clause.reason}"')
    branch = tree.add(_with_source(text, clause.cites, clause.where))
    _add_reasons(branch, [Reason(one.text, one.holds) for one in clause.conditions])


def _with_source(text: Text, *source: str) -> Text:
    told = "  ".join(filter(None, source))
    return text.append(f"  {told}", "dim") if told else text


def _judged(found: Verdict, depth: int) -> Tree:
    what, refusal = f"{found.player}: {found.action}", found.refusal
    if refusal is None:
        allowed = "is offered" if found.option else "is allowed by its own rules"
        tree = Tree(Text.assemble((what, "bold"), f" {allowed}"))
        if found.turn:
            tree.add(Text(found.turn, "red"))
        return tree
    head = Text.assemble((what, "bold"), " is refused: ", (refusal.reason, "bold red"))
    tree = Tree(_with_source(head, refusal.cites, refusal.where))
    if found.turn:
        tree.add(Text(found.turn, "red"))
    _add_reasons(tree, refusal.why)
    for part in refusal.parts if depth or not refusal.why else ():
        tree.add(explained(part, max(0, depth - 1)))
    return tree


def _happened(found: Happening, depth: int) -> Tree:
    """A line of the log: the rules that ran, what decided in them, numbers, and answers. The less
    deep, the fewer of the rules in which nothing was decided."""
    head = Text.assemble(f"{found.number}. ", (found.text, "bold"))
    tree = Tree(_with_source(head, found.cites, found.where))
    for number, one in enumerate(found.ran):
        if depth < DEPTH and number and not one.why and not one.hidden:
            continue
        branch = tree.add(_with_source(Text(one.rule), one.cites, one.where))
        _add_reasons(branch, one.why if depth else [_alone(reason) for reason in one.why])
        if one.hidden:
            branch.add(Text("something you may not see decided here", "yellow"))
    for value in found.values:
        tree.add(explained(value, max(0, depth - 1)))
    if found.answers:
        told = tree.add(Text("answers that led to it", "dim"))
        left = len(found.answers) - ANSWERS
        if left > 0:
            told.add(Text(f"{left} earlier ones", "dim"))
        for answer in found.answers[-ANSWERS:]:
            line = told.add(Text(f"{answer.number}: {answer.text}", overflow="ellipsis"))
            for since in answer.since:
                line.add(Text(since, "green"))
    return tree


def _alone(reason: Reason) -> Reason:
    return Reason(reason.text, reason.holds)
