"""The page in a real browser, and its own unit tests with hands from the real rules."""
