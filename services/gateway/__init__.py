"""The edge: REST, table sockets and the first page. Knows who is there; decides nothing about the game."""
