"""The commands of `ziggurat`, one module each, loaded only when used.

A command is a function that prints and returns an exit code: 0 all is well, 1 there are findings,
2 the request made no sense. To add one, write its module and name it here, with the line it has on
the help page.
"""

COMMANDS = {
    "check": ("studio.commands.check:check", "Say everything that is wrong with rulesets."),
    "demo": ("studio.commands.demo:demo", "Play a whole game with bots and tell it."),
    "diff": ("studio.commands.diff:diff", "Show what two rulesets tell differently."),
    "explain": (
        "studio.commands.explain:explain",
        "Explain a finding, as Z201, a value, or a refusal.",
    ),
    "fmt": ("studio.commands.fmt:fmt", "Put rules files into their canonical layout."),
    "list": ("studio.commands.list:list_", "List what a ruleset declares."),
    "map": ("studio.commands.map:map_", "Draw the board of a ruleset."),
    "packs": ("studio.commands.packs:packs", "List the packs that can be stacked."),
    "play": ("studio.commands.play:play", "Play in the terminal, against bots or hot-seat."),
    "replay": ("studio.commands.replay:replay", "Tell a saved game from its beginning."),
    "resolve": ("studio.commands.resolve:resolve", "Show a declaration after linking."),
    "simulate": (
        "studio.commands.simulate:simulate",
        "Play many games with bots and report what they show.",
    ),
    "test": ("studio.commands.test:scenarios", "Run the scenarios of a ruleset."),
}
