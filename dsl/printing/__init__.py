"""A linked ruleset back as text: the canonical text of the rules language.

Diff, documentation and `explain` show rules as their author could have written them. What is
printed means the same when it is linked again, so two texts are equal exactly when two rules are.
How each form is printed stands in its family (`dsl/forms`); here is the printer that asks them.
"""
