"""Programs that play: at random, by the advice of packs, and by looking ahead."""
