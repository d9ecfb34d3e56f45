"""Rules in English: sentences made from the ruleset itself, for whoever reads and does not write.

A book, the help of an editor, a page and a report of differences say a rule in the same words. What
a pack declares as a `phrase` is used; without one, words are made from names. What no sentence can
be made of honestly is told in the text of the rule, marked as such.
"""
