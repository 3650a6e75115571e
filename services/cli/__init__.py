"""The command `pandemonium`: runs the whole platform on one machine, plays matches through it, watches and verifies."""
