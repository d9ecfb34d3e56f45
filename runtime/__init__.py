"""The interpreter: runs a linked ruleset and stops only to ask somebody for a decision."""
