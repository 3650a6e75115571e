"""Tables, seats, readiness, and the life of a match. Never decides anything about cards."""
