"""From parsed files to a linked ruleset: one subject a module, in the order of the pipeline.

`model` and `collect` gather declarations, `amend` applies what later packs change, `declarations`
and `rules` give names their meaning, `expressions` and `statements` lower bodies with full type
checking, `clauses` brings contributions to their values, and `checks` looks at the whole.
"""
