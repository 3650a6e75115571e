"""The operators' console: who may look and act, what is seen, what is done, and the record of it."""
