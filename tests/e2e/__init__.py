"""The whole platform, every service as its own process, as its users meet it."""
