"""What English asks for: plurals, articles, lists, capital letters, saying that it is not so."""

import re
from collections.abc import Sequence

from ziggurat.dsl.telling.marked import begins_with_letter, first_letter, plain

_VERB = re.compile(
    r"\b(?:(is|are|was|were|may|can|must|will|has|have|does|do|counts|count|works|work)(?= |$))"
)
_HELPED = {"counts": "does not count", "count": "do not count", "works": "does not work",
           "work": "do not work", "has": "does not have", "have": "do not have"}  # fmt: skip
_OF_SEVERAL = {"is": "are", "was": "were", "has": "have", "does": "do", "goes": "go", "lies": "lie"}
_VOWELS = "aeiou"
_ARTICLE = re.compile(r"(?:the|all) ")
_IDLE_COMMA = re.compile(r",(?=[).:;,]|$)")


def words(id_: str) -> str:
    """A name as words: `attack_tokens` are attack tokens."""
    return id_.strip("_").replace("_", " ")


def plural(noun: str) -> str:
    """Several of something."""
    if noun.endswith("y") and noun[-2:-1] not in _VOWELS:
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def singular(noun: str) -> str:
    """One of several."""
    return f"{noun[:-3]}y" if noun.endswith("ies") else noun.removesuffix("s")


def of_several(verb: str) -> str:
    """Return what several do: `needs` is `need`, `is` is `are`."""
    if verb in _OF_SEVERAL:
        return _OF_SEVERAL[verb]
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[: -2 if verb.endswith(("sses", "shes", "ches", "xes")) else -1]


def a(noun: str) -> str:
    """`an area`, `a player`."""
    return f"{'an' if plain(noun)[:1].lower() in _VOWELS else 'a'} {noun}"


def listed(parts: Sequence[str], word: str = "and") -> str:
    """`a, b and c`; parts that are long lists themselves are kept apart by commas."""
    if len(parts) < 2:
        return "".join(parts)
    long = any(re.search(r" (?:and|or) |,", plain(part)) for part in parts)
    comma = "," if long else ""
    return f"{', '.join(parts[:-1])}{comma} {word} {parts[-1]}"


def capital(text: str) -> str:
    """With a capital letter to begin with, inside a reference as well; a name such as `n` stays."""
    at = first_letter(text)
    if begins_with_letter(text):
        return text
    return text[:at] + text[at : at + 1].upper() + text[at + 1 :]


def sentence(text: str) -> str:
    """With a capital letter and a full stop."""
    text = _IDLE_COMMA.sub("", capital(text.strip()))
    ends = plain(text)[-1:] in (*".?!:…", "") or plain(text).endswith((".”", "?”", "!”"))
    return text if ends else f"{text}."


def bare(noun: str) -> str:
    """Without its article, or without `all`."""
    at = first_letter(noun)
    found = _ARTICLE.match(noun[at:])
    return noun[:at] + noun[at + found.end() :] if found else noun


def definite(noun: str) -> str:
    """With an article: `areas with …` are `the areas with …`."""
    return noun if bare(noun) != noun else f"the {noun}"


def denied(clause: str) -> str:
    """That something is not so; where no verb can be found, in a roundabout way."""
    found = _VERB.search(clause)
    if found is None:
        return f"it is not so that {clause}"
    verb = found[1]
    no = _HELPED.get(verb, f"{verb} not")
    return clause[: found.start(1)] + no + clause[found.end(1) :]
