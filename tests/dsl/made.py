"""Whole packs made by chance: kinds, things, values with clauses, orders, procedures, phases.

Everything made here is sound, so whatever the linker says against it is a mistake of ours.
"""

import random
from collections.abc import Callable

Env = dict[str, str]
SCALARS = ("int", "bool")
KINDS = ("isle", "clan", "craft", "ware")
TYPES = ("int", "bool", "player", "set of isle", "isle", "craft", "range")


class Maker:
    """Makes the text of one pack from one seed."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.things: dict[str, list[str]] = {}
        self.fields: dict[str, dict[str, str]] = {}
        self.values: list[tuple[str, list[str], str]] = []
        self.orders: list[str] = []
        self.procedures: list[tuple[str, list[str]]] = []
        self.number = 0

    def pick(self, *options: str) -> str:
        return self.chance.choice(options)

    def one(self, *ways: Callable[[], str]) -> str:
        """What one of several ways makes; the others are not gone."""
        return self.chance.choice(ways)()

    def some(self, most: int, least: int = 0) -> range:
        return range(self.chance.randint(least, most))

    def fresh(self, stem: str) -> str:
        self.number += 1
        return f"{stem}_{self.number}"

    def pack(self) -> str:
        parts = [self.kinds(), self.table()]
        parts += [self.value() for _ in self.some(6, 2)]
        parts += [self.order() for _ in self.some(2, 1)]
        parts += [self.procedure() for _ in self.some(3, 1)]
        parts += [self.all_things(), *(self.rule() for _ in self.some(2)), self.game()]
        return "\n".join(parts)

    # ---- kinds and things -------------------------------------------------------------------

    def kinds(self) -> str:
        roles = {"isle": "place", "clan": "seat", "craft": "holdable", "ware": "card"}
        for kind in KINDS:
            self.things[kind] = [self.fresh(kind) for _ in self.some(3, 1)]
            self.fields[kind] = {}
        text = []
        for kind in KINDS:
            lines = [self.field(kind) for _ in self.some(4)]
            if kind == "isle":
                lines.append("relation land")
            if kind == "ware":
                lines.append("copies: int = 1\n  body strike(victim: player)")
            if self.chance.random() < 0.5:
                lines.append(f'needs {self.pick("yes", "size(land) >= 0")} "As it should be."'
                             if kind == "isle" else "needs this is this")  # fmt: skip
            title = self.pick("", f' "The {kind}"')
            text.append(f"kind {kind}{title} {roles[kind]} plural {kind}s {{\n  "
                        + "\n  ".join(lines) + "\n}")  # fmt: skip
        return "\n".join([*text, "cards card { faces: ware }"])

    def field(self, kind: str) -> str:
        name = self.fresh("f")
        type_ = self.pick("int", "bool", "text", "range", "set of isle", "isle or none",
                          "isle -> int", "list of craft")  # fmt: skip
        self.fields[kind][name] = type_
        default = {"isle or none": "none", "set of isle": "{}", "isle -> int": "{}"}.get(type_)
        default = default or {"list of craft": "{}"}.get(type_) or self.data(type_)
        return f"{name}: {type_} = {default}"

    def data(self, type_: str) -> str:
        chance = self.chance
        match type_:
            case "int":
                return str(chance.randint(-3, 20))
            case "bool":
                return self.pick("yes", "no")
            case "text":
                return self.pick('""', '"A word"', '"é — “so”"')
            case "range":
                return f"{chance.randint(0, 2)}..{chance.randint(2, 5)}"
            case "isle or none":
                return self.pick("none", *self.things["isle"])
            case "isle -> int":
                return ", ".join(f"{one} {chance.randint(0, 9)}" for one in self.things["isle"])
        kind = type_.rpartition(" ")[2]
        return ", ".join(self.things[kind])

    def all_things(self) -> str:
        return "\n".join(self.thing(kind, one) for kind in KINDS for one in self.things[kind])

    def thing(self, kind: str, name: str) -> str:
        lines = [
            f"{field}: {self.data(type_)}"
            for field, type_ in self.fields[kind].items()
            if self.chance.random() < 0.6
        ]
        if kind == "isle":
            others = [one for one in self.things["isle"] if one != name]
            lines += [f"land: {', '.join(others)}"] if others else []
        if kind == "ware":
            lines.append("strike {\n" + self.body({"victim": "player"}, 2) + "\n}")
        if kind == "craft":
            lines += [self.clause(held=True) for _ in self.some(2)]
        elif self.chance.random() < 0.5:
            lines += [self.clause(held=False)]
        title = self.pick("", f' "{name.capitalize()}"')
        meta = self.pick("", ' cites W "1.2" tags R-1', " tags A-b-1, C-2")
        return f"{kind} {name}{title}{meta} {{\n  " + "\n  ".join(lines) + "\n}"

    def table(self) -> str:
        states = self.pick("", "  states: ready, spent")
        lasts = self.pick("", " { lasts: turn }", " { lasts: phase }")
        return f"""
place stock of owner
place hand of player secret {{ cards: card }}
place pile of table hidden {{ cards: card }}
piece man {{ supply: {self.chance.randint(1, 30)}  home: stock{states} }}
piece boat "a boat" {{ supply: 4  home: stock }}
piece unit {{ any: man, boat }}
neutral wild "The Wild" {{ supply: man 5 }}
attribute fame of player: int = {self.data("int")}{lasts}
attribute liked of player secret: set of isle
attribute owed of player: isle -> int
attribute round of table: int = 0
attribute chief of isle: player or none = none
option long_game "A long game": bool = {self.data("bool")}
option rounds "Rounds": int = 3 {{ choices: 1..5 }}"""

    # ---- expressions ------------------------------------------------------------------------

    def expression(self, type_: str, env: Env, depth: int = 3) -> str:
        """An expression of a type; whatever is not a single word or call stands in brackets."""
        known = [name for name, found in env.items() if found == type_]
        calls = [value for value in self.values if value[2] == type_]
        if known and (depth == 0 or self.chance.random() < 0.4):
            return self.chance.choice(known)
        if calls and depth and self.chance.random() < 0.3:
            name, params, _ = self.chance.choice(calls)
            return f"{name}({', '.join(self.expression(one, env, depth - 1) for one in params)})"
        makers: dict[str, Callable[[Env, int], str]] = {
            "int": self.number_of, "bool": self.truth, "player": self.player, "range": self.span,
            "set of isle": self.isles, "isle": self.isle,
        }  # fmt: skip
        if type_ in makers:
            return makers[type_](env, depth)
        return self.chance.choice(self.things[type_])

    def number_of(self, env: Env, depth: int) -> str:
        if depth == 0:
            return self.pick(str(self.chance.randint(0, 9)), "round", "rounds", "table.round")
        p, i = self.expression("player", env, 0), self.expression("isle", env, 0)

        def part(type_: str = "int") -> str:
            return self.expression(type_, env, depth - 1)

        return self.one(
            lambda: f"({part()} {self.pick('+', '-', '*', '/', 'mod')} {part()})",
            lambda: f"({part()} / {part()} rounded up)",
            lambda: f"-({part()})",
            lambda: f"{self.pick('min', 'max')}({part()}, {part()})",
            lambda: f"abs({part()})",
            lambda: f"size({part('set of isle')})",
            lambda: f"[{part()}, {part()}][{part()}]",
            lambda: f"({part()} if {part('bool')} else {part()})",
            lambda: self.pick(f"{p}.fame", f"{p}.owed[{i}]", "size(cards(pile))"),
            lambda: f"count({self.pick('man', 'boat', 'unit')} of {p} on board)",
            lambda: f"count({self.pick('man', 'boat', 'unit')} of {p} in stock)",
            lambda: f"count(man of others({p}) in {i})",
            lambda: self.loop("sum", env, depth),
            lambda: self.loop("count", env, depth),
        )

    def loop(self, fn: str, env: Env, depth: int) -> str:
        name = self.fresh("x")
        source = self.expression("set of isle", env, depth - 1)
        inner = env | {name: "isle"}
        test = self.expression("bool", inner, depth - 1)
        if fn == "every":
            return f"every({name} in {source} has {test})"
        if fn == "sum":
            fn = self.pick("sum", "max", "min")
            body = self.expression("int", inner, depth - 1)
            return f"{fn}({body} for {name} in {source} where {test})"
        return f"{fn}({name} in {source} where {test})"

    def truth(self, env: Env, depth: int) -> str:
        if depth == 0:
            return self.pick("yes", "no", "long_game")
        i = self.expression("isle", env, 0)
        p, q = (self.expression("player", env, 0) for _ in "pq")

        def part(type_: str) -> str:
            return self.expression(type_, env, depth - 1)

        compare = ("==", "!=", "<", "<=", ">", ">=")
        return self.one(
            lambda: f"({part('int')} {self.pick(*compare)} {part('int')})",
            lambda: f"({part('bool')} {self.pick('and', 'or')} {part('bool')})",
            lambda: f"(not {part('bool')})",
            lambda: f"({i} {self.pick('in', 'not in')} {part('set of isle')})",
            lambda: f"({p} {self.pick('is', 'is not')} {q})",
            lambda: f"({p} holds {self.expression('craft', env, 0)})",
            lambda: f"({i}.chief is none)",
            lambda: f"any(man of {p} in {i})",
            lambda: f"(list(x in {part('set of isle')}) {self.pick('==', '!=')} [{i}])",
            lambda: f"({part('int')} in {part('range')})",
            lambda: self.loop("every", env, depth),
            lambda: self.loop("any", env, depth),
        )

    def player(self, env: Env, depth: int) -> str:
        if depth == 0:
            return "left_of(one_of(players))"
        return f"left_of({self.expression('player', env, depth - 1)})"

    def span(self, env: Env, depth: int) -> str:
        least, most = (self.expression("int", env, max(0, depth - 1)) for _ in "ab")
        return f"({least}..{most})"

    def isle(self, env: Env, depth: int) -> str:
        return self.chance.choice(self.things["isle"])

    def isles(self, env: Env, depth: int) -> str:
        if depth == 0:
            return self.pick("isles", f"{self.expression('isle', env, 0)}.land")
        name = self.fresh("x")
        p = self.expression("player", env, 0)

        def part() -> str:
            return self.expression("set of isle", env, depth - 1)

        def chosen() -> str:
            test = self.expression("bool", env | {name: "isle"}, depth - 1)
            return f"{{{name} in {part()} where {test}}}"

        def reached() -> str:
            test = self.expression("bool", env | {"it": "isle"}, depth - 1)
            steps = self.pick("", f" up to {self.expression('int', env, 0)} steps")
            return f"reachable(from {part()} through it.land{steps} where {test})"

        return self.one(
            lambda: f"({part()} {self.pick('+', '-')} {part()})",
            lambda: f"common({part()}, {part()})",
            lambda: f"({part()} with man of {p})",
            chosen,
            reached,
            lambda: f"{p}.liked",
            lambda: f"{{{self.isle(env, 0)}}}",
        )

    # ---- values, orders, clauses ------------------------------------------------------------

    def params(self) -> dict[str, str]:
        return {self.fresh("q"): self.pick(*TYPES[:5]) for _ in self.some(3)}

    def value(self) -> str:
        name, params, type_ = self.fresh("v"), self.params(), self.pick(*TYPES)
        base = self.expression(type_, params)
        told = ", ".join(f"{one}: {of}" for one, of in params.items())
        self.values.append((name, list(params.values()), type_))
        meta = self.pick("", '   cites W "3"', "   tags P-05")
        title = self.pick("", ' "A value"')
        return f"value {name}({told}){title}: {type_} = {base}{meta}"

    def order(self) -> str:
        name = self.fresh("o")
        keys = "\n".join(
            f"  {self.fresh('key')}: {self.expression('int', {'p': 'player'}, 2)}"
            for _ in self.some(3, 1)
        )
        self.orders.append(name)
        return f"order {name}(p: player) {{\n{keys}\n}}"

    def clause(self, held: bool) -> str:
        if self.procedures and self.chance.random() < 0.3:
            return self.trigger(held)
        values = self.values
        at = self.chance.randrange(len(values))
        name, params, type_ = values[at]
        self.values = values[:at]  # what changes a value must not ask for it
        try:
            return self.contribution(name, params, type_, held)
        finally:
            self.values = values

    def contribution(self, name: str, params: list[str], type_: str, held: bool) -> str:
        env: Env = {}
        args = []
        for one in params:
            if held and one == "player" and "holder" not in env:
                env["holder"] = "player"
                args.append("holder")
            elif self.chance.random() < 0.2:
                args.append(self.expression(one, env, 1))
            else:
                fresh = self.fresh("z")
                env[fresh] = one
                args.append(fresh)
        when = f" when {self.expression('bool', env, 2)}" if self.chance.random() < 0.5 else ""
        target = f"{name}({', '.join(args)})"
        if type_ == "bool":
            reason = self.pick("", ' "It is forbidden."')
            return self.pick(f"allow {target}{when}", f"forbid {target}{when}{reason}")
        return f"modify {target} {self.change(type_, env)}{when}{self.pick('', '   tags A-1')}"

    def change(self, type_: str, env: Env) -> str:
        made = self.expression(type_, env, 2)
        if type_ == "int":
            way = self.pick("by +", "by times ", "to ", "to at least ", "to at most ")
            return f"{way}{made}" if not made.startswith("-") else f"to {made}"
        if type_ == "set of isle":
            return f"{self.pick('by adding', 'by removing', 'to')} {made}"
        if type_ == "range":
            return self.pick("by extending -1..2", f"to {made}")
        return f"to {made}"

    def trigger(self, held: bool) -> str:
        name, params = self.chance.choice(self.procedures)
        env = {self.fresh("z"): one for one in params}
        args = list(env)
        if held and "player" in params:
            at = params.index("player")
            env = {("holder" if n == at else one): env[one] for n, one in enumerate(args)}
            args[at] = "holder"
        when = f" when {self.expression('bool', env, 2)}" if self.chance.random() < 0.5 else ""
        word = self.pick("before", "after", "instead of")
        return f"{word} {name}({', '.join(args)}){when} {{\n{self.body(env, 1, calls=False)}\n}}"

    def rule(self) -> str:
        lines = [self.clause(held=False) for _ in self.some(3, 1)]
        return f"rule {self.fresh('r')} {{\n  " + "\n  ".join(lines) + "\n}"

    # ---- steps, phases, actions -------------------------------------------------------------

    def procedure(self) -> str:
        name, params = self.fresh("do"), self.params()
        told = ", ".join(f"{one}: {of}" for one, of in params.items())
        body = self.body(dict(params), 3)
        self.procedures.append((name, list(params.values())))
        return f"procedure {name}({told}) {{\n{body}\n}}"

    def body(self, env: Env, depth: int, calls: bool = True) -> str:
        inner = dict(env)
        return "\n".join(self.step(inner, depth, calls) for _ in self.some(3, 1))

    def step(self, env: Env, depth: int, calls: bool) -> str:
        p, i = self.expression("player", env, 0), self.expression("isle", env, 0)
        n, test = self.expression("int", env, 2), self.expression("bool", env, 2)
        isles = self.expression("set of isle", env, 2)
        if calls and self.procedures and self.chance.random() < 0.15:
            name, params = self.chance.choice(self.procedures)
            return f"{name}({', '.join(self.expression(one, env, 1) for one in params)})"
        if depth and self.chance.random() < 0.35:
            return self.block(env, depth, calls)
        name = self.fresh("l")
        made = self.pick(
            f"set {p}.fame = {n}", f"add {n} to {p}.fame", f"subtract {n} from {p}.owed[{i}]",
            f"include {i} in {p}.liked", f"exclude {i} from {p}.liked", f"set {i}.chief = {p}",
            f"move {n} man of {p} from {i} to stock", f"place {n} boat of {p} in {i}",
            f"remove all unit of {p} from board", f"move all man of {p} from stock to {i}",
            "put cards(pile) under pile", f"put top(pile) in hand({p})", "shuffle pile",
            f"give {self.chance.choice(self.things['craft'])} to {p}", f"recall {p}",
            f'say "It is {{{p}}} and {{{i}}}."', f'tell {p} "Only you."', f"stop if {test}",
            f"let {name} = {n}", f"pick {name} at random from {isles}",
            f'choose {name} by {p} from {isles} where it != {i} "Where?" optionally',
            f'choose up to 2 {name} by {p} from {isles} "Where?"',
            f"divide {n} {name} among {isles} by {p} allowing 0..2",
            f"select {name} by {p} from {isles} such that connected by it.land,"
            f" total 1 at most {n} relaxing from the last",
        )  # fmt: skip
        if made.startswith("let "):
            env[name] = "int"
        if made.startswith("choose up to"):
            env[name] = "set of isle"
        return made

    def block(self, env: Env, depth: int, calls: bool) -> str:
        inner = self.body(env, depth - 1, calls)
        test, name = self.expression("bool", env, 2), self.fresh("x")
        isles, p = self.expression("set of isle", env, 2), self.expression("player", env, 0)
        looped = self.body(env | {name: "isle"}, depth - 1, calls)
        return self.pick(
            f"if {test} {{\n{inner}\n}}", f"if {test} {{\n{inner}\n}} else {{\nskip_it()\n}}",
            f"for each {name} in {isles} where {test} {{\n{looped}\n}}",
            f"repeat 3 times {{\n{inner}\n}}",
            f"repeat while {test} at most 9 times {{\n{inner}\n}}",
            f'step {name} "A step" {{\n{inner}\n}}',
            f'may {p} {name} "Will you?" when {test} {{\n{inner}\n}} otherwise {{\nskip_it()\n}}',
        )  # fmt: skip

    def game(self) -> str:
        order = self.chance.choice(self.orders)
        env = {"p": "player"}
        test = self.expression("bool", env, 2)
        stage = self.pick(
            f"all players p at once where {test} {{\n{self.body(env, 2)}\n}}",
            f"each player p by {order} {{\n{self.body(env, 2)}\n}}",
            f"once {{\n{self.body({}, 2)}\n}}",
            f"while {self.expression('bool', {}, 2)} {{\n{self.body({}, 1)}\n}}",
        )
        return f"""
procedure skip_it() {{ say "Nothing." }}
phase play "Play" {{
  {stage}
  players p act by {order} until done
}}
phase rest "Rest" {{
  needs long_game or {self.expression("bool", {}, 1)}
  players p act freely until all pass or {self.expression("bool", {}, 2)}
  perform play when {self.expression("bool", {}, 2)}
  repeat play up to {self.expression("int", {}, 1)} times while {self.expression("bool", {}, 2)}
}}
action go "Go" in play by p (
    origin from isles with man of p,
    target from origin.land where it != origin "Where to?",
    n from 1..count(man of p in origin)) {{
  needs {self.expression("bool", env, 2)} "You cannot."
  move n man of p from origin to target
}}
turn main {{ phases: play, rest  ranking: {order} }}"""
