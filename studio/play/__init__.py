"""Play in the terminal: people against programs, or people at one keyboard.

Everything shown and asked comes from the rules: titles, prompts, citations, what the turn `shows`.
"""
