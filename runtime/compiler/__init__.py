"""From the linked ruleset to Python code objects, one generated function for each rule.

Names in generated code are made here; what authors wrote (ids, texts) comes in through tables.
"""
