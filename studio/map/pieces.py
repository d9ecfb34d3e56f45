"""What stands on the board in a game, for the map."""

import attrs

from ziggurat import Facts, Moment, Ruleset, ir, symbols
from ziggurat.studio.map.board import Board, Look, Pieces, shapes_of

SIZE = 10
# For players whose colour nobody declares, in the order of their seats.
COLOURS = ("#c0392b", "#2e6da4", "#d9a520", "#3f8f4f", "#7d4a9e", "#d9742b", "#1f8a8a", "#8a6d4a")


def standing(board: Board, game: Moment) -> Board:
    """The board with the pieces of everybody, in the colours of what they play."""
    ruleset = game.ruleset
    looks = looks_of_pieces(ruleset)
    pieces: dict[str, list[Pieces]] = {}
    for owner in game.owners:
        name, colour = known_as(game, owner)
        for piece, look in looks.items():
            for spot in board.spots:
                number = game.count(piece, owner, spot)
                if number:
                    found = Pieces(name, piece, number, colour, look)
                    pieces.setdefault(spot, []).append(found)
    by_spot = {spot: tuple(found) for spot, found in pieces.items()}
    return attrs.evolve(board, pieces=by_spot, kinds=tuple(looks.values()))


def looks_of_pieces(ruleset: Ruleset) -> dict[str, Look]:
    """How each kind of piece is drawn."""
    return {piece: _look(ruleset, piece, rank) for rank, piece in enumerate(ruleset.pieces)}


def looks_of_covered(ruleset: Ruleset) -> dict[str, Look]:
    """How pieces are drawn that lie covered: all of a kind alike."""
    shape = symbols.SYMBOLS["square"]
    return {
        one.of: Look(
            one.of, f"covered {one.of.replace('_', ' ')}", text="?", shapes=(shape,), size=SIZE
        )
        for one in ruleset.covers.values()
    }


def _look(ruleset: Ruleset, piece: str, rank: int) -> Look:
    """As a mark declares; else the first kind of piece, of which there is most, is a plain disc,
    and the others are squares with their letter."""
    words = piece.replace("_", " ")
    mark = _mark_of(ruleset, "piece", piece)
    if mark is None:
        letter = "" if rank == 0 else piece[:1].upper()
        shape = symbols.SYMBOLS["square" if rank else "disc"]
        return Look(piece, words, text=letter, shapes=(shape,), size=SIZE)
    facts = Facts(ruleset)
    return Look(
        mark.id,
        mark.title or words,
        text=facts.text(mark.letter),
        shapes=shapes_of(mark) or (symbols.SYMBOLS["disc"],),
        ink=facts.text(mark.ink),
        size=mark.size or SIZE,
    )


def _mark_of(ruleset: Ruleset, sort: str, name: str) -> ir.Mark | None:
    found = [m for m in ruleset.marks.values() if (m.sort, m.of) == (sort, name)]
    return found[-1] if found else None


def known_as(game: Moment, owner: str) -> tuple[str, str]:
    """The name and colour of an owner: those of the thing they play, if they play one."""
    ruleset = game.ruleset
    name = Facts(ruleset, game).called(owner)
    if owner in ruleset.neutrals:
        kind = ruleset.neutrals[owner].kind
        colour = _colour(ruleset, "owner", kind, owner) if kind else ""
        return name, colour or _colour(ruleset, "neutral", owner)
    thing = game.plays(owner)
    colour = _colour(ruleset, "seat", thing.kind, thing.id) if thing is not None else ""
    return name, colour or COLOURS[game.owners.index(owner) % len(COLOURS)]


def _colour(ruleset: Ruleset, sort: str, name: str, thing: str = "") -> str:
    mark = _mark_of(ruleset, sort, name)
    return Facts(ruleset).text(mark.colours[0], name, thing) if mark and mark.colours else ""
