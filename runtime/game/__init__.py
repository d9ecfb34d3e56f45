"""A game to play and to look at: moments, decisions, views for each seat, and the log."""
