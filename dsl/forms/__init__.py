"""The forms of the language: for each family, how its nodes are linked and printed.

The nodes and their meaning are in `runtime/kernel/forms`, in modules of the same names.
"""
