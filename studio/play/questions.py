"""`explain`: any expression of the rules language, on the position as a seat knows it."""

from rich.console import Console, RenderableType

from ziggurat import BadQuestion, Game, Save, Search, explain_to, refused_to, why_happened
from ziggurat.studio.explained import on_a_page
from ziggurat.studio.play.naming import WrongInput


def explain(out: Console, game: Game, seat: str, search: Search, text: str) -> RenderableType:
    """The value of an expression and where it comes from. Raises `WrongInput`."""
    try:
        return on_a_page(out, explain_to(game, seat, text, search))
    except BadQuestion as bad:
        raise WrongInput(bad.text) from bad


def why_not(out: Console, game: Game, seat: str, text: str) -> RenderableType:
    """Why an action is not offered. Raises `WrongInput`."""
    try:
        return on_a_page(out, refused_to(game, seat, text))
    except BadQuestion as bad:
        raise WrongInput(bad.text) from bad


def why_happened_to(out: Console, save: Save, seat: str, line: int | None) -> RenderableType:
    """Why a line of the log is there; the last one unless told. Raises `WrongInput`."""
    try:
        return on_a_page(out, why_happened(save.remembered(), line, seat))
    except BadQuestion as bad:
        raise WrongInput(bad.text) from bad
