"""B7: who is robbed of a place by an unequal wire, under this project's rule (RD-8) and under others."""
