"""What can be bought and what is paid for it, against all payments that there are.

The payments are worked out here from the rulebooks, without the rules: sets are worth the square of
their cards times their value, Mining doubles treasury, a card of another sort that is worth at
least as much may stand in for one that an incomplete set lacks (Trade Empire), and a building that
is given up raises one incomplete set by a card.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.stacks import compiled
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.game.game import Game, start
from ziggurat.runtime.kernel.state import State

SEAT = "player1"
EXPANSION = "expansion_project"  # Library takes off more there, and no card stands in
# A few commodities of each stack: cheap and dear, and sets that a small hand completes.
SORTS = {
    "west": ["bone", "wax", "lead", "herbs", "amber", "marble"],
    "east": ["bone", "timber", "lead", "bronze", "dye", "silk"],
    "expansion_project": ["bone", "wax", "lead", "herbs", "amber", "marble"],
    "west+special_buildings": ["bone", "wax", "lead", "herbs", "amber", "marble"],
}
SITE, BUILDING = "thessalonica", "parthenon"


@attrs.frozen
class Purse:
    """What somebody has to pay with: cards by sort, their values and copies, treasury, and what
    they may do with them."""

    hand: Counter[str]
    values: dict[str, int]
    copies: dict[str, int]
    treasury: int
    token: int
    stands_in: bool
    raises: bool

    def worth(self, cards: Counter[str]) -> int:
        return sum(n * n * self.values[sort] for sort, n in cards.items())

    def payments(self) -> Iterator[tuple[int, Counter[str]]]:
        """Yield what every choice of cards pays, and what is left of the hand."""
        sorts = list(self.hand)
        for numbers in product(*(range(self.hand[sort] + 1) for sort in sorts)):
            laid = Counter(dict(zip(sorts, numbers, strict=True)))
            for counted, gone in self._with_stand_in(laid):
                left = Counter({sort: n - gone[sort] for sort, n in self.hand.items()})
                for raised in self._raised(laid, counted):
                    yield self.worth(raised), left

    def _with_stand_in(self, laid: Counter[str]) -> Iterator[tuple[Counter[str], Counter[str]]]:
        yield laid, laid
        if not self.stands_in:
            return
        for card, sort in product(self.hand, self.hand):
            fits = card != sort and self.values[card] >= self.values[sort] > 0
            free = laid[card] < self.hand[card] and 0 < laid[sort] < self.copies[sort]
            if fits and free:
                yield laid + Counter([sort]), laid + Counter([card])

    def _raised(self, laid: Counter[str], counted: Counter[str]) -> Iterator[Counter[str]]:
        yield counted
        if self.raises:
            for sort in laid:
                if laid[sort] and counted[sort] < self.copies[sort]:
                    yield counted + Counter([sort])

    def most(self) -> int:
        """Return the most that can be paid."""
        return max(paid for paid, _ in self.payments()) + self.treasury * self.token

    def best(self, bill: int) -> int | None:
        """Return the most that hand and treasury can be worth after paying, none if it fails."""
        return max(
            (
                self.worth(left) + (self.treasury - tokens) * self.token
                for paid, left in self.payments()
                if (tokens := max(0, -((paid - bill) // self.token))) <= self.treasury
            ),
            default=None,
        )


@attrs.frozen
class Shop:
    """A game in which somebody is about to buy."""

    game: Game
    purse: Purse
    discount: int

    @property
    def cart(self) -> tuple[str, ...]:
        return tuple(self.game.seen_by(SEAT).attribute("purchase.cart", SEAT))

    def bill(self, *cart: str) -> int:
        moment = self.game.seen_by(SEAT)
        credit = moment.attribute("player.credits", SEAT)
        prices = {}
        for id_ in cart:
            card = moment.thing("advance", id_)
            best = max(credit[group] for group in moment.field(card, "groups"))
            prices[id_] = max(0, moment.field(card, "cost") - best)
        others = [price for id_, price in prices.items() if id_ != "library"]
        off = min(self.discount, max(others, default=0)) if "library" in prices else 0
        return sum(prices.values()) - off

    def offered(self) -> set[str]:
        decision = self.game.decision
        if decision is None or "pick_up" not in decision.actions():
            return set()
        return set(decision.parameter_options("pick_up", []))

    def act(self, action: str, *args: str) -> None:
        self.game.answer({"action": action, "args": list(args)}, SEAT)

    def left(self) -> int:
        """Return what hand and treasury are worth now."""
        moment = self.game.seen_by(SEAT)
        hand = Counter(moment.face(card).id for card in moment.pile("hand", SEAT))
        return self.purse.worth(hand) + self.purse.token * moment.count("token", SEAT, "treasury")


@st.composite
def shops(draw: st.DrawFn, stack: str) -> Shop:
    program = compiled(stack)
    game = start(program, min(program.ruleset.players), begin=False)
    hand = Counter(draw(st.lists(st.sampled_from(SORTS[stack]), min_size=1, max_size=7)))
    known = {sort: game.thing("commodity", sort) for sort in hand}
    copies = {sort: game.field(thing, "copies") for sort, thing in known.items()}
    hand = Counter({sort: min(n, copies[sort]) for sort, n in hand.items()})
    treasury = draw(st.integers(0, 12))
    held = draw(st.sets(st.sampled_from(["mining", "trade_empire"])))
    raises = "special_buildings" in stack and draw(st.booleans())
    credit = [draw(st.sampled_from([0, 30, 60, 200])) for _ in game.things("group")]
    game.edit(lambda state: _set_up(game, state, hand, treasury, held, credit, raises))
    game.run_phases("advances_acquisition")
    if raises:
        game.answer({"action": "offer_building", "args": [BUILDING]}, SEAT)
    purse = Purse(
        hand=hand,
        values={sort: game.field(thing, "value") for sort, thing in known.items()},
        copies=copies,
        treasury=treasury,
        token=2 if "mining" in held else 1,
        stands_in="trade_empire" in held and stack != EXPANSION,
        raises=raises,
    )
    return Shop(game, purse, 50 if stack == EXPANSION else 40)


def _set_up(
    game: Game,
    state: State,
    hand: Counter[str],
    treasury: int,
    held: set[str],
    credit: Sequence[int],
    raises: bool,
) -> None:
    table = game.table
    cards: list[int] = []
    for sort, number in hand.items():
        same = [
            card for card in range(len(table.face)) if table.things[table.face[card]].id == sort
        ]
        cards += same[:number]
    state.put(cards, table.pile("hand", 0))
    places, rows = table.place_ids, table.rows
    state.move(rows["token"], 0, places["stock"], places["treasury"], treasury)
    for id_ in held:
        state.give(table.parse(id_, ir.Type("advance")), 0)
    groups = table.attributes["player.credits"]
    assert groups.keys is not None
    for key, number in zip(groups.keys, credit, strict=True):
        state.attrs[groups.slot(0, key)] = number
    for other in table.players[1:]:
        state.attrs[table.attributes["player.gone"].slot(other)] = True
    if raises:
        site = game.place(SITE)
        state.move(rows["city"], 0, places["stock"], site, 1)
        building = table.parse(BUILDING, ir.Type("special_building"))
        state.attrs[table.attributes["area.special_building"].slot(site)] = building


@pytest.mark.parametrize("stack", SORTS)
@given(data=st.data())
@settings(max_examples=40)
def test_purchase_is_allowed_exactly_when_a_payment_exists(stack: str, data: st.DataObject) -> None:
    shop = data.draw(shops(stack))
    known = {thing.id for thing in shop.game.things("advance")}
    held = {thing.id for thing in shop.game.seen_by(SEAT).holdings(SEAT)}
    most = shop.purse.most()
    for _ in range(3):
        payable = {
            id_ for id_ in known - held - set(shop.cart)
            if shop.bill(*shop.cart, id_) <= most
        }  # fmt: skip
        assert shop.offered() == payable
        if not payable:
            break
        prefers_library = {"library"} & payable
        shop.act("pick_up", data.draw(st.sampled_from(sorted(prefers_library or payable))))
    if not shop.cart:
        return
    best = shop.purse.best(shop.bill(*shop.cart))
    shop.act("buy")
    assert shop.left() == best
