"""The reference: every declaration of a stack, what it says, and what reads and changes it."""

from collections.abc import Iterator
from html import escape

from ziggurat import Declared, Ruleset, Uses, declaration_texts, declarations, declaring_words
from ziggurat.studio.book.html import anchor, cited, head

_LEFT_OUT = ("scenario", "advice", "open")
_BY = {"reads": "Read by", "changes": "Changed by", "calls": "Used by", "names": "Named by"}
_OF = {"reads": "Reads", "changes": "Changes", "calls": "Uses", "names": "Names"}


def reference(ruleset: Ruleset, title: str, book: str) -> str:
    """The page, section by section."""
    texts, uses = declaration_texts(ruleset), Uses(ruleset)
    sections = {word: list(declarations(ruleset, word)) for word in declaring_words(ruleset)}
    sections = {word: found for word, found in sections.items() if found and word not in _LEFT_OUT}
    known = {(word, one.id) for word, found in sections.items() for one in found}
    parts = [
        head(f"{escape(title)}: every declaration"),
        f'<header class="cover"><h1>{escape(title)}</h1>',
        f'<p class="lead">Every declaration, with what reads and changes it. <a href="{book}">'
        "The rulebook</a> tells the same in sentences.</p></header>",
        '<nav id="contents"><h2>Contents</h2><ol>',
        *(f'<li><a href="#word-{escape(word)}">{escape(word)}</a> ({len(found)})</li>'
          for word, found in sections.items()),
        "</ol></nav>\n<main>",
    ]  # fmt: skip
    for word, found in sections.items():
        parts.append(f'<section class="chapter" id="word-{escape(word)}"><h2>{escape(word)}</h2>')
        for one in found:
            parts += _entry(word, one, texts.get((word, one.id), ""), uses, known)
        parts.append("</section>")
    return "\n".join([*parts, "</main>\n</body>\n</html>\n"])


def _entry(
    word: str, one: Declared, text: str, uses: Uses, known: set[tuple[str, str]]
) -> Iterator[str]:
    title = f" <span>{escape(one.title)}</span>" if one.title else ""
    yield f'<article class="item" id="{anchor(word, one.id)}">'
    yield f"<h4><code>{escape(word)} {escape(one.id)}</code>{title}{cited(one.meta)}</h4>"
    if one.at.file:
        yield f'<p class="place">{escape(one.at.file)}:{one.at.line}</p>'
    if text:
        yield f"<details class='own'><summary>Rule</summary><pre>{escape(text)}</pre></details>"
    rows = [*_uses(_BY, uses.by.get((word, one.id), {}), known),
            *_uses(_OF, uses.of.get((word, one.id), {}), known)]  # fmt: skip
    if rows:
        yield f'<dl class="uses">{"".join(rows)}</dl>'
    yield "</article>"


def _uses(
    labels: dict[str, str],
    found: dict[str, dict[tuple[str, str], None]],
    known: set[tuple[str, str]],
) -> Iterator[str]:
    for how, label in labels.items():
        if names := found.get(how):
            links = ", ".join(_link(word, id_, known) for word, id_ in sorted(names))
            yield f"<dt>{label}</dt><dd>{links}</dd>"


def _link(word: str, id_: str, known: set[tuple[str, str]]) -> str:
    told = escape(f"{word} {id_}")
    return f'<a href="#{anchor(word, id_)}">{told}</a>' if (word, id_) in known else told
