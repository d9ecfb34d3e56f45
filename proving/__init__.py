"""What shows that rules do what they should: scenarios, coverage, mutation, explanations.

All of it rests on the reference evaluator, which reads rules slowly and obviously.
"""
