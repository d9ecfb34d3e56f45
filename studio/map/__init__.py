"""Boards as pictures: what packs declare of their maps, laid out, shaped and drawn."""
