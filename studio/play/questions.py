"""`explain`: any expression of the rules language, on the position as a seat knows it."""

from rich.tree import Tree

from ziggurat import BadQuestion, Game, Search, explain_to
from ziggurat.studio.commands.explain_value import explained
from ziggurat.studio.play.naming import WrongInput


def explain(game: Game, seat: str, search: Search, text: str) -> Tree:
    """The value of an expression and where it comes from. Raises `WrongInput`."""
    try:
        return explained(explain_to(game, seat, text, search))
    except BadQuestion as bad:
        raise WrongInput(bad.text) from bad
