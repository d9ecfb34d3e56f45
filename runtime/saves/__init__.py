"""What is kept on disk: saves, and the cache of compiled rulesets."""
