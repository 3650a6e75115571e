"""How the embedded Redis is run: on loopback, durable at every write."""
