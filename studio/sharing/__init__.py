"""Sharing packs: one file of a folder, and the user's own folder of installed packs."""
