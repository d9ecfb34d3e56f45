"""What stands on the board in a game, for the map."""

import attrs

from ziggurat.runtime.game import Game
from ziggurat.studio.map_board import Board, Pieces


def standing(board: Board, game: Game) -> Board:
    """The board with the pieces of everybody, in the colours of what they play."""
    pieces: dict[str, list[Pieces]] = {}
    for owner in game.table.owner_names:
        name, colour = _known_as(game, board, owner)
        for rank, piece in enumerate(game.table.ruleset.pieces):
            for spot in board.spots:
                number = game.count(piece, owner, spot)
                if number:
                    pieces.setdefault(spot, []).append(Pieces(name, piece, number, colour, rank))
    return attrs.evolve(board, pieces={spot: tuple(found) for spot, found in pieces.items()})


def _known_as(game: Game, board: Board, owner: str) -> tuple[str, str]:
    """The name and colour of an owner: those of the thing they play, if they play one."""
    ruleset = game.table.ruleset
    if owner in ruleset.neutrals:
        return ruleset.neutrals[owner].title or owner, ""
    seats = [kind.id for kind in ruleset.kinds.values() if "seat" in kind.roles]
    for kind in seats:
        thing = game.attribute(f"player.{kind}", owner)
        if thing is not None:
            found = ruleset.things[kind][thing]
            return found.title or found.id, board.colours.get(found.id, "")
    return owner, ""
