"""A hand in the middle, as this release leaves it in Redis: what the next release has to go on with.

``python -m tests.recorded`` (``make recorded``) records it again, due when a stored layout gets a new version: the
old record stays beside the new one for as long as that version is read.
"""
