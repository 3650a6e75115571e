"""Aces Up as a pure library: one player, one deck, four piles (docs/aces-up.md has the rules by number)."""
