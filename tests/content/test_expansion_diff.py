"""West against the Expansion Project, row by row: each known difference is shown, and nothing else.

The rows are those of the second part of the comparison of the rulebooks (`spec.json`). A row names
the paths at which the difference of the linked rulesets shows it; rows in which the books only say
the same in other words are not shown by any.
"""

import json
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest

from tests.stacks import linked
from ziggurat.dsl.diff import diff

SPEC = json.loads((Path(__file__).parent / "spec.json").read_text(encoding="utf-8"))
ROWS: dict[str, str] = SPEC["expansion_differences"]

# ---- frame, setup, phases

FRAME = {
    "DF-100": ["setup both_1?", "value cards_marked / base"],
    "DF-101": [
        "turn main / phase *", "phase census", "phase ships", "phase surplus", "phase support",
        "phase surplus_and_support / *", "phase city_construction / *",
        "phase population_expansion / *", "phase calamity_resolution / *",
        "phase trade_cards_acquisition / *", "value comes_to_stacks", "phase trade / needs",
        "phase special_abilities / needs",
        "phase advances_acquisition / needs", "procedure remove_all_surplus",
        "value new_cities / base", "attribute table.aftermath", "attribute table.building",
        "attribute table.idle", "value attacks_pay / base", "value minors_due",
    ],
    "DF-102": ["civilization *"],
    "DF-103": [
        "epoch middle_bronze", "kind civilization / field ep*",
        "kind civilization / field expert_epochs",
    ],
    "DF-104": ["epoch late_bronze / *", "epoch early_iron / *"],
    "DF-105": ["value may_advance / base", "value current_epoch"],
    "DF-106": ["rule without_cities"],
    "DF-107": [
        "value victory_points / base", "value worth / base", "value step_points / base",
        "value city_points / base", "value set_points", "value treasury_score",
        "value colour_points", "value open_points", "value cards_in", "value bonus_points",
        "attribute player.late_iron_bonus", "attribute table.bonus_settled",
    ],
    "DF-108": [
        "order victory / key *", "value advances_worth", "value printed_cost", "value best_credit",
        "value all_credits",
    ],
    "DF-109": ["procedure settle_late_iron / body"],
    "DF-110": [
        "phase setup / stage *", "procedure draw_nation", "procedure offer_exchange",
        "procedure choose_civilization", "procedure starting_pieces / body",
        "attribute player.drew", "kind civilization / field other_starts",
    ],
    "DF-111": ["setup players_5", "setup players_6"],
    "DF-112": [
        "rule newcomers_first", "rule waiting", "procedure join_game", "procedure select_unused",
        "order latest", "value beginners", "attribute table.late",
        "attribute player.awaited", "custom no_joining",
    ],
    "DF-113": [
        "rule inert_nations", "value inert", "value struck_by_nature", "procedure lose_undecided",
        "procedure leave_game / *", "procedure farewell / body", "procedure turn_barbarian",
        "procedure evacuate", "procedure thin_deck", "value refuge_room", "value refuges",
        "open refuges", "procedure give_up", "open give_up", "procedure check_after_departure",
        "open check_after_departure", "value deck_stays_whole", "open deck_stays_whole",
        "value departures_after / base", "attribute table.agreed", "phase movement / stage 2",
    ],
    "DF-114": [
        "deck *", "kind deck", "value deck_used", "value commodities_of", "value commodities_used",
        "value western_cards",
        "block *", "stack *", "value block_of / base", "procedure mark_cards / body",
        "procedure mark_for_blocks", "value additional_set", "value regular_sets",
        "kind civilization / field column",
    ],
    "DF-115": ["value cards_marked / base", "value with_minors"],
    "DF-116": [
        "procedure prepare_stack / body", "procedure prepare_for_few", "procedure prepare_for_nine",
        "value seeding", "value single", "value major_of", "value minor_of",
        "kind calamity / field copies", "calamity * / copies",
    ],
    "DF-117": [
        "commodity water", "place water_pile", "procedure draw_card / body",
        "procedure discard / body", "value for_sale / base", "value hand_size / base",
    ],
    "DF-118": ["rule foreign_sets", "value foreign", "value foreign_bonus"],
    "DF-119": ["neutral barbarians / supply"],
    "DF-11a": ["civilization *"],
    "DF-11b": [
        "area *", "rule covered_areas", "procedure mark_out_of_play / body", "value in_use",
        "setup *", "value setup_used", "value nations / base", "kind setup / field *", "kind half",
        "half *", "option half_of_board",
    ],
    "DF-11c": ["value rebels_near", "calamity tyranny / value neighbours"],
    "DF-120": ["order heirs / key *", "value stock_points", "value revolt_heirs", "value rebels"],
    "DF-121": [
        "procedure tax_revolt / *", "procedure revolt_overflow", "open revolt_overflow",
        "value heir_must_take", "open heir_must_take", "phase tax_collection / stage 1",
    ],
    "DF-122": ["rule city_people"],
    "DF-124": [
        "phase ships", "action build_ship_by_treasury / phase", "action build_ship_by_both / phase",
        "action maintain_by_treasury / *", "procedure finish_movement / body",
    ],
    "DF-125": [
        "action levy_ship", "action build_ship_by_tokens", "action build_ship_by_treasury / *",
        "value may_build_ship_by_treasury", "open may_build_ship_by_treasury",
    ],
    "DF-126": [
        "action levy_upkeep", "action maintain_by_token", "action give_up_ship", "action scrap",
    ],
    "DF-128": ["advance advanced_military / modify movement_order.late"],
    "DF-129": ["action march_far / parameter over"],
    "DF-131": ["advance naval_warfare / modify ship_capacity"],
    "DF-132": ["rule repelled_landing", "value repelled", "attribute player.ashore"],
    "DF-133": [
        "value same_coast", "action sail_to / *", "bundle player.voyage / came_from",
        "kind area / field second_coast",
    ],
    "DF-134": ["rule lodgers", "value lodged"],
    "DF-135": [
        "procedure fail_attack / body", "value failed_attackers_stay", "open failed_attackers_stay",
    ],
    "DF-136": [
        "value may_delay / base", "rule each_attack_anew", "phase conflict / stage *",
        "order conflict_order / key late", "action clear_surplus", "value foreseen_surplus",
        "value surplus_must_wait", "open surplus_must_wait", "value may_wait",
    ],
    "DF-137": ["procedure attack_city / step pirates", "procedure attack_city / *"],
    "DF-138": [
        "advance advanced_military / modify loss_areas", "rule order_as_begun",
        "procedure lose_one / body", "attribute player.lost_elsewhere", "value losses_elsewhere",
    ],
    "DF-139": ["procedure take_spoils / body", "value may_draw_spoils"],
    "DF-140": ["advance cultural_ascendancy / forbid may_enter", "value protected_by_culture"],
    "DF-141": ["advance architecture / modify treasury_share"],
    "DF-142": ["rule dear_cities"],
    "DF-143": ["advance agriculture / modify population_limit"],
    "DF-145": [
        "value purchasable / base", "advance cartography / modify purchasable",
        "advance mining / modify purchasable",
    ],
    "DF-146": [
        "attribute player.cards_bought", "value may_buy_cards / base", "procedure buy_from",
        "action buy_card / *",
    ],
    "DF-147": ["advance politics / modify card_price"],
    "DF-14a": [
        "phase counter", "phase late_counter", "action buy_card_late", "attribute player.served",
        "attribute table.customer", "action buy_card / phase",
    ],
    "DF-148": ["custom good_faith"],
    "DF-149": [
        "custom no_telling", "custom no_showing", "custom covered_deals", "custom secret_draws",
    ],
    "DF-150": ["custom sandglass"],
    "DF-151": [
        "procedure shed_calamities / body", "value calamity_limit", "value major_limit",
        "value majors_held", "value overburdened", "value counted", "value counts_in_selection",
        "open counts_in_selection", "value minors_of",
    ],
    "DF-152": ["value protected / base", "value beneficiary / base"],
    "DF-153": ["value city_damage / base"],
    "DF-154": ["phase special_abilities / stage"],
    "DF-155": ["phase advances_acquisition / stage *", "phase succession / stage 6"],
    "DF-156": ["value credit / base"],
    "DF-157": ["attribute player.any_colour", "action exchange_credits", "value exchangeable"],
    "DF-158": [
        "advance trade_routes / modify hand_limit", "advance diaspora / modify hand_limit",
        "advance roadbuilding / modify hand_limit", "procedure keep_hand_limit / body",
    ],
    "DF-14b": ["value city_damage / base", "value kept_tokens"],
    "DF-14c": [
        "calamity famine / company", "calamity famine / names", "calamity epidemic / company",
    ],
    "DF-14d": ["value most_treasury / base"],
    "DF-14e": ["advance trade_empire / action demand", "advance trade_routes / action sell"],
    "DF-14f": ["procedure lose_beside / body"],
    "DF-14g": ["action build_city / body"],
}  # fmt: skip

# ---- calamities

CALAMITIES = {
    "DF-160": ["calamity volcanic_eruption / *", "procedure urban_losses"],
    "DF-161": [
        "procedure earthquake / body", "value quake_harm", "value quaking", "value reduction_harm",
    ],
    "DF-162": ["calamity treachery / resolve", "procedure treachery_overflow / body"],
    "DF-163": ["calamity famine / *", "procedure starve"],
    "DF-164": ["calamity superstition / stack"],
    "DF-165": [
        "calamity slave_revolt / *", "attribute player.unfree", "value lacks_support / base",
    ],
    "DF-166": ["calamity flood / *"],
    "DF-167": [
        "procedure break_away", "procedure annex_areas", "value enough", "value bound",
        "calamity civil_war / *", "procedure form_factions", "procedure join_first",
        "procedure fall_in_war", "procedure fall_among", "procedure break_with", "procedure seize",
        "procedure most_in_stock", "value faction*", "value free_points", "value front",
        "value has_city", "value has_token_beside", "value within_reach",
        "attribute area.first_faction", "attribute area.rebel_*",
    ],
    "DF-168": [
        "calamity barbarian_hordes / *", "procedure raid", "procedure horde_attack",
        "value frontier",
        "value first_blow", "value warlord", "value horde_*", "value beatable",
        "value falls_to_horde", "value prizes", "value bystanders", "value free_goals",
        "kind area / field edge", "mark edges",
    ],
    "DF-169": ["calamity cyclone / *"],
    "DF-170": ["calamity epidemic / *"],
    "DF-171": ["calamity tyranny / *", "procedure hand_over"],
    "DF-172": [
        "advance military / modify civil_disorder.kept",
        "advance roadbuilding / modify civil_disorder.kept",
    ],
    "DF-173": [
        "calamity corruption / stack", "advance wonder_of_the_world / modify corruption.discarded",
    ],
    "DF-174": ["calamity iconoclasm_and_heresy / *"],
    "DF-175": ["calamity regression / *"],
    "DF-176": ["calamity piracy / *", "procedure turn_pirate / body"],
    "DF-177": ["calamity squandered_wealth / stack"],
    "DF-178": ["calamity tempest / *"],
    "DF-179": ["calamity city_riots / stack"],
    "DF-180": ["calamity city_in_flames / stack"],
    "DF-181": ["calamity tribal_conflict / *"],
    "DF-182": ["calamity minor_uprising / *"],
    "DF-183": ["calamity banditry / *"],
    "DF-184": ["calamity coastal_migration / *"],
}  # fmt: skip

# ---- commodities and advances

PRICES = {
    "DF-200": "advanced_military", "DF-201": "anatomy", "DF-202": "cultural_ascendancy",
    "DF-203": "deism", "DF-204": "democracy", "DF-205": "diaspora", "DF-206": "diplomacy",
    "DF-207": "engineering", "DF-208": "law", "DF-209": "library", "DF-210": "mathematics",
    "DF-211": "medicine", "DF-212": "metalworking", "DF-213": "military", "DF-214": "mining",
    "DF-215": "monotheism", "DF-216": "monument", "DF-217": "naval_warfare",
    "DF-218": "philosophy", "DF-219": "politics", "DF-220": "provincial_empire",
    "DF-221": "public_works", "DF-222": "roadbuilding", "DF-223": "theology",
    "DF-224": "trade_empire", "DF-225": "wonder_of_the_world",
}  # fmt: skip
CARDS = {
    "DF-190": [
        "commodity ochre / copies", "commodity clay / copies", "commodity hides", "commodity flax",
    ],
    "DF-191": ["commodity papyrus"],
    "DF-192": ["commodity stone"],
    **{row: [f"advance {card} / c*"] for row, card in PRICES.items()},
    "DF-226": ["advance written_record / after acquire"],
    "DF-230": ["advance astronomy"],
    "DF-231": [
        "advance advanced_military / modify civil_war.destroyed",
        "advance advanced_military / allow may_wait",
    ],
    "DF-232": ["advance agriculture / modify *"],
    "DF-233": [
        "advance anatomy / modify epidemic.damage *", "procedure take_science / body",
        "value free_sciences / base",
    ],
    "DF-234": ["advance architecture / modify treasury_share"],
    "DF-235": ["advance calendar / modify *"],
    "DF-236": ["advance cartography / modify *"],
    "DF-237": ["advance cultural_ascendancy / forbid may_enter"],
    "DF-238": [
        "advance diaspora / *", "value homes_in", "value homeless", "value has_room", "value crowd",
    ],
    "DF-239": ["advance diplomacy / forbid *"],
    "DF-240": [
        "advance engineering / modify flood.damage", "calamity flood / procedure coastal_flood",
    ],
    "DF-241": [
        "advance enlightenment / modify epidemic.damage",
        "advance enlightenment / allow regression.may_destroy",
        "advance enlightenment / modify slave_revolt.*",
    ],
    "DF-242": ["advance law / modify tyranny.taken"],
    "DF-243": ["advance library / modify library_discount"],
    "DF-244": ["advance military / modify *"],
    "DF-245": ["advance mining / modify *"],
    "DF-246": ["advance monument / after acquire"],
    "DF-247": ["advance naval_warfare / *"],
    "DF-248": ["advance philosophy / modify *"],
    "DF-249": ["advance politics / *", "procedure buy_area / body"],
    "DF-250": ["advance provincial_empire / action *", "value tributaries"],
    "DF-251": ["rule city_people", "rule dear_cities"],
    "DF-252": ["advance roadbuilding / modify *"],
    "DF-253": ["advance theocracy / modify slave_revolt.enslaved"],
    "DF-254": [
        "advance trade_empire / *", "action lay_stand_in", "value can_stand_in",
        "value stand_in_room / base",
    ],
    "DF-255": [
        "advance trade_routes / *", "value sells / base", "procedure sell_card / body",
        "procedure open_routes",
    ],
    "DF-256": [
        "advance universal_doctrine / action * / parameter *", "procedure win_over_tokens / body",
        "value open_way", "value travelled", "value path_ends",
    ],
    "DF-257": [
        "value from_neighbours / base", "attribute player.neighbour_share_used",
        "procedure urban_losses",
    ],
    "DF-258": [
        "advance wonder_of_the_world / *", "action take_free_card", "value free_card",
        "attribute player.free_card_taken",
    ],
    "DF-259": ["advance written_record / after acquire"],
    "DF-260": ["advance medicine / modify epidemic.damage *"],
    "DF-261": [
        "advance roadbuilding / modify epidemic.damage",
        "advance trade_empire / modify epidemic.damage",
    ],
    "DF-262": ["value exposed / base"],
}  # fmt: skip
SHOWN = FRAME | CALAMITIES | CARDS

# Data in which the books agree.
EQUAL = {"DF-193": "all other numbers of cards"}

# Everything else that differs.
EXPLAINED = {
    "region *": "the other half of the board",
    "flood_plain *": "the other half of the board",
    "mark blocks": "how blocks are drawn",
    "commodity *": "the sets of the other half, and names (Q-74)",
    "option *": "readings of questions, which `ziggurat list` tells by question",
    "rule plain_heretics": "what a reading of West does (Q-31)",
    "rule last_point": "West's last point of damage (DF-060)",
    "procedure leave_four_tokens": "West's last point of damage (DF-060)",
    "value whole_cities": "West's last point of damage (DF-060)",
    "value roomy_cities": "West's last point of damage (DF-060)",
    "value beyond_tokens": "West's last point of damage (DF-060)",
    "value one_is_left": "West's last point of damage (DF-060)",
    "value tied": "what a reading of West asks (Q-12)",
    "advance metalworking / modify removal.late": "without that reading (Q-12)",
    "advance mythology / modify slave_revolt.*": "another unit for Slave Revolt (DF-165)",
    "advance monotheism / modify iconoclasm_and_heresy.reduced": "only for the victim (DF-174)",
    "value census_box / base": "West's printed track (DF-008)",
    "value priority_of_fit / base": "West's Civil War (DF-063)",
    "custom silence": "West's words about secrecy (DF-041)",
    "custom empty_stacks": "West's words about secrecy (DF-041)",
    "rule choice_of_credits": "what a reading does (Q-121)",
    "value copies_held": "what a reading asks (Q-126)",
    "procedure strike_all / body": "one player may hold both copies (Q-126)",
    "calamity civil_disorder / *": "what a reading asks (Q-116)",
    "value share_limit": "what a reading asks (Q-114)",
    "value share_lost": "what a reading asks (Q-114)",
    "rule both_hand_limits": "what a reading does (Q-67)",
    "rule tough_pirates": "what a reading does (Q-59)",
    "advance fundamentalism / action destroy / body": "what a reading asks (Q-64)",
    "advance monotheism / action convert / *": "what a reading asks (Q-64)",
    "procedure take_as_diplomat": "what a reading does (Q-64)",
    "attribute player.doomed": "what a reading keeps (Q-68)",
    "procedure sink": "what a reading does (Q-68)",
    "procedure besieged_first / body": "what a reading asks (Q-69)",
    "value spokesman": "what a reading asks (Q-69)",
    "procedure betray": "what a reading does (Q-100)",
    "value untraded_captor": "what a reading asks (Q-100)",
    "value far_masters": "what a reading asks (Q-115)",
    "value on_the_way": "what a reading asks (Q-122)",
    "value travelled_by_*": "what a reading asks (Q-122)",
    "kind civilization / field board_ranking": "what a reading asks (Q-97)",
    "value board_rank": "what a reading asks (Q-97)",
    "rule as_on_the_boards": "what a reading does (Q-97)",
    "kind civilization / field middle_bronze": "what a reading asks (Q-03)",
    "rule longer_late_bronze": "what a reading does (Q-03)",
    "value sources": "what a reading asks (Q-98)",
    "value in_supply": "what a reading asks (Q-98)",
    "value known_goods": "what a reading asks (Q-55)",
    "value common_goods": "what a reading asks (Q-55)",
    "value *tern_goods": "what a reading asks (Q-55)",
    "value shared_currency": "what a reading asks (Q-55)",
    "action make_offer / parameter wants": "what a reading asks (Q-55)",
    "action talk_up / parameter claims": "what a reading asks (Q-55)",
    "action announce / parameter sorts_named": "what a reading asks (Q-55)",
    "kind lake": "what a reading asks (Q-125)",
    "lake caspian": "what a reading asks (Q-125)",
    "kind area / field lake": "what a reading asks (Q-125)",
    "value lake_shores": "what a reading asks (Q-125)",
    "value waterways": "what a reading asks (Q-125)",
    "value shipyard": "what a reading asks (Q-125)",
    "action build_ship_by_both / parameter at": "what a reading asks (Q-125)",
    "rule across_lakes": "what a reading does (Q-125)",
    "rule full_replacement": "what a reading does (Q-19)",
    "value merit / base": "advice",
    "value lead_of / base": "advice",
    "value grain / base": "advice",
    "value colony_worth": "advice",
    "value new_lands": "advice",
    "value sale": "advice",
    "value sells_out": "advice",
    "value waiting": "advice",
    "value founders": "advice",
    "value emigrants": "advice",
    "value passage": "advice",
    "value ship_worth": "advice",
}


@cache
def paths() -> tuple[str, ...]:
    return tuple(entry.path for entry in diff(linked("west"), linked("expansion_project")).entries)


def matching(pattern: str) -> list[str]:
    return [path for path in paths() if fnmatchcase(path, pattern)]


@pytest.mark.parametrize("row", SHOWN)
def test_every_row_is_shown(row: str) -> None:
    assert [pattern for pattern in SHOWN[row] if not matching(pattern)] == []


def test_nothing_is_shown_that_is_not_explained() -> None:
    patterns = [pattern for found in SHOWN.values() for pattern in found] + list(EXPLAINED)
    known = {path for pattern in patterns for path in matching(pattern)}
    assert sorted(set(paths()) - known) == []


def test_no_explanation_is_out_of_date() -> None:
    assert [pattern for pattern in EXPLAINED if not matching(pattern)] == []


def test_the_rows_are_complete() -> None:
    """Every row of the classes S, P, A and D is shown; the others are none of these."""
    meant = {row for row, sort in ROWS.items() if set(sort) & set("SPAD")}
    assert meant - EQUAL.keys() == SHOWN.keys()
