"""Keys that one table has at a time, until it lets go or their lifetime ends: a player's claim, a code."""

from __future__ import annotations

from typing import Final

from services.runtime.redis import Script

HOLD: Final = Script("""
local table = redis.call('GET', KEYS[1])
if table and table ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
""")
"""Has the table hold the key for so long (ms), if it is this table's or nobody's; 1 if so."""

RELEASE: Final = Script("""
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
""")
"""Gives the key free, if it is the table's."""
