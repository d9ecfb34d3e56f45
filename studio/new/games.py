"""Games that build on nothing: their templates, and boards written as rows of text."""

from string import ascii_lowercase

from ziggurat.studio.console import UsageError

GAME = "game"
ON_SQUARES = "game_on_squares"
GAMES = (GAME, ON_SQUARES)
SQUARE, GAP = ".", " "
MOST = len(ascii_lowercase)  # columns have letters


def squares(rows: str) -> dict[str, str]:
    """Return what the template of a board needs to know of rows such as `..../.. ./....`."""
    lines = rows.split("/")
    wrong = sorted(set(rows) - {SQUARE, GAP, "/"})
    if wrong:
        raise UsageError(
            f"`{wrong[0]}` has no meaning in the rows of a board. Write a dot for a square, a space"
            ' for a gap and a slash between rows, as in --rows ".../. ./...".'
        )
    if len(lines) > MOST or max(map(len, lines)) > MOST:
        raise UsageError(f"a board has at most {MOST} rows and columns.")
    places = {
        f"{ascii_lowercase[x]}{y + 1}": (x + 1, y + 1)
        for y, line in enumerate(lines)
        for x, sign in enumerate(line)
        if sign == SQUARE
    }
    pair = next(
        (
            (one, other)
            for one, (x, y) in places.items()
            for other, at in places.items()
            if at in ((x + 1, y), (x, y + 1), (x + 1, y + 1), (x - 1, y + 1))
        ),
        None,
    )
    if pair is None:
        raise UsageError('a board needs two squares that touch, as in --rows "..".')
    written = (f"square {id_} {{ column: {x}  row: {y} }}" for id_, (x, y) in places.items())
    first, second = pair
    return {
        "squares": "\n".join(written),
        "number": str(len(places)),
        "first": first,
        "second": second,
    }
