"""What two rulesets have in common, and what not: the parts `dsl.diff` is made of.

`subjects` cuts a ruleset into parts that can differ by themselves, `align` finds which parts
belong together, `renames` which names do.
"""
