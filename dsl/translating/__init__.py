"""Rules in other languages: what can be translated, catalogues of it, and a ruleset in their words.

A translation never touches a rule. It gives the linked ruleset other titles, prompts, reasons and
sentences before it is compiled, so whatever shows them (games, lists, maps, books) needs to know
nothing about it, and games mean the same whatever language they are told in.
"""
