"""The forms of the language: every class of the ruleset, each with a description of itself.

What goes over all forms (walking, bodies, what is read and written, who is asked, what may be
mutated) is derived from the descriptions; nothing of that is listed again elsewhere.
"""
