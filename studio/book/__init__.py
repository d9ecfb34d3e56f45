"""The rulebook and the reference of a stack, as pages that need nothing else.

What is in the book follows from what packs declare: the turn and its phases, kinds and their
things, places, pieces, options, questions. No chapter knows a game.
"""
