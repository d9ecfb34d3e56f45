"""From parsed files to a linked ruleset: one subject a module, in the order of the pipeline.

`model` and `collect` gather declarations, `amend` applies what later packs change, `link` has every
declaration linked by its family (`dsl/forms`), `expressions` and `statements` ask the families what
is written in bodies, with full type checking, and `checks` looks at the whole.
"""
