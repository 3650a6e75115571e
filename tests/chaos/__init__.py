"""The whole platform while its processes die."""
