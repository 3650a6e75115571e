"""The edge: REST, table sockets and the page. Knows who is there; decides nothing about the game."""
