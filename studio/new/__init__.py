"""`ziggurat new`: packs made from templates, which are data of packs. No game is known here."""
