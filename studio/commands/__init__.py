"""The commands of `ziggurat`, one module each, loaded only when used.

A command is a function that prints and returns an exit code: 0 all is well, 1 there are findings,
2 the request made no sense. To add one, write its module and name it here, with the line it has on
the help page.
"""

COMMANDS = {
    "book": (
        "ziggurat.studio.commands.book:book",
        "Write the rulebook and the reference of a ruleset.",
    ),
    "check": (
        "ziggurat.studio.commands.check:check",
        "Say everything that is wrong with rulesets.",
    ),
    "demo": ("ziggurat.studio.commands.demo:demo", "Play a whole game with bots and tell it."),
    "diff": ("ziggurat.studio.commands.diff:diff", "Show what two rulesets tell differently."),
    "docs": ("ziggurat.studio.commands.docs:docs", "Build the documentation as a site."),
    "explain": (
        "ziggurat.studio.commands.explain:explain",
        "Explain a finding, as Z201, a value, or a refusal.",
    ),
    "fmt": ("ziggurat.studio.commands.fmt:fmt", "Put rules files into their canonical layout."),
    "install": (
        "ziggurat.studio.commands.install:install",
        "Put a pack where every command finds it.",
    ),
    "list": ("ziggurat.studio.commands.list:list_", "List what a ruleset declares."),
    "lsp": ("ziggurat.studio.commands.lsp:lsp", "Serve an editor while somebody writes rules."),
    "map": ("ziggurat.studio.commands.map:map_", "Draw the board of a ruleset."),
    "new": (
        "ziggurat.studio.commands.new:new",
        "Make a pack that checks, tests and plays at once.",
    ),
    "pack": ("ziggurat.studio.commands.pack:pack", "Make one file of a pack, to give to others."),
    "packs": ("ziggurat.studio.commands.packs:packs", "List the packs that can be stacked."),
    "play": (
        "ziggurat.studio.commands.play:play",
        "Play in the terminal, against bots or hot-seat.",
    ),
    "replay": ("ziggurat.studio.commands.replay:replay", "Tell a saved game from its beginning."),
    "resolve": ("ziggurat.studio.commands.resolve:resolve", "Show a declaration after linking."),
    "serve": ("ziggurat.studio.commands.serve:serve", "Serve tables to browsers."),
    "simulate": (
        "ziggurat.studio.commands.simulate:simulate",
        "Play many games with bots and report what they show.",
    ),
    "tables": (
        "ziggurat.studio.commands.tables:tables",
        "List the tables of a server, archive and delete them.",
    ),
    "test": ("ziggurat.studio.commands.test:scenarios", "Run the scenarios of a ruleset."),
    "translate": (
        "ziggurat.studio.commands.translate:translate",
        "Make or update a translation of a pack.",
    ),
    "uninstall": (
        "ziggurat.studio.commands.uninstall:uninstall",
        "Take an installed pack away.",
    ),
    "watch": (
        "ziggurat.studio.commands.watch:watch",
        "Check and test again whenever a file changes.",
    ),
}
