"""Many games in parallel, what they say about a ruleset, and a page that shows it."""
