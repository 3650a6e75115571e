"""Bots: players that fill seats. They see what everybody sees, and play over the same socket as everybody."""
