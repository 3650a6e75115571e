"""The name of every key and channel in Redis, and nothing else: no connection, no values.

A table's keys all carry the hash tag of its shard, ``{s<k>}``, so that one script may touch them all on a cluster too.
Tables are told apart by id; ids are made of letters, digits, ``-`` and ``_``, so a key can be taken apart again.
"""

from __future__ import annotations

from typing import Final
from zlib import crc32

SHARDS: Final = 64
"""How many shards the tables are spread over; changing it moves every key."""


def shard(table: str) -> int:
    """The shard of a table, 0 to ``SHARDS - 1``."""
    return crc32(table.encode()) % SHARDS


def hand(table: str) -> str:
    """Hash: the table's current hand. Written by the engine."""
    return f"{{s{shard(table)}}}:hand:{table}"


def log(table: str) -> str:
    """Stream: the table's events, id ``<seq>-0``, one field ``e``. Written by the engine."""
    return f"{{s{shard(table)}}}:log:{table}"


def events_channel(table: str) -> str:
    """Channel: the bytes of each event, after they were appended to the log. Published by the engine."""
    return f"{{s{shard(table)}}}:ev:{table}"


def timers(shard: int) -> str:
    """Sorted set: index of the shard's due times (ms), member ``<table>|<kind>``. Written by the engine."""
    return f"{{s{shard}}}:timers"


def finished(shard: int) -> str:
    """Stream: one entry per hand that ended. Written by the engine, consumed by scoring."""
    return f"{{s{shard}}}:finished"


def scored(shard: int) -> str:
    """Stream: one entry per hand that was counted. Written by scoring, consumed by the lobby."""
    return f"{{s{shard}}}:scored"


def lobby_table(table: str) -> str:
    """Hash: seats, readiness and match progress of a table. Written by the lobby."""
    return f"{{s{shard(table)}}}:table:{table}"


def steps(shard: int) -> str:
    """Sorted set: what the lobby has to do next in the shard, and when (ms). Written by the lobby.

    Member ``<table>``: the table's next step is due; ``<table>|<seat>|<worker>|<player>``: a bot seat's lease runs out.
    """
    return f"{{s{shard}}}:steps"


def public_tables(shard: int) -> str:
    """Sorted set: the shard's public tables that are not closed, by creation (ms). Written by the lobby."""
    return f"{{s{shard}}}:public"


def table_states(shard: int) -> str:
    """Hash: how many of the shard's tables are in each state. Written by the lobby."""
    return f"{{s{shard}}}:states"


def quick_places(seats: int) -> str:
    """Sorted set: quick-play tables of so many seats, by how many places are to be given. Written by the lobby."""
    return f"quick:{seats}"


def wanted_bots() -> str:
    """Sorted set: bot seats that wait for a worker, member ``<table>|<seat>``, by since when. Written by the lobby."""
    return "bots:wanted"


def table_channel(table: str) -> str:
    """Channel: the table's version at each change. Published by the lobby."""
    return f"{{s{shard(table)}}}:tv:{table}"


def attach_channel(table: str) -> str:
    """Channel: ``<seat>:<epoch>`` whenever a socket takes a seat, so that the older one is closed. By the gateway."""
    return f"{{s{shard(table)}}}:at:{table}"


def company_channel(table: str) -> str:
    """Channel: frames of the table socket that are in no log: emotes, and how many watch. Published by the gateway."""
    return f"{{s{shard(table)}}}:co:{table}"


def watchers(table: str) -> str:
    """Hash with a lifetime: who watches the table. Written by the gateway.

    Field ``<gateway>``: ``<count>|<until ms>``, how many have a socket there; field ``told``: the sum last published.
    """
    return f"{{s{shard(table)}}}:watchers:{table}"


def gateways() -> str:
    """Hash: the gateways that live, field its name of this life, how many times it has said so. Written by them.

    0: it has been silent for too long, and another one looks after its seats.
    """
    return "{gateways}"


def gateway_seats(gateway: str) -> str:
    """Hash with a lifetime: the seats that have a socket at a gateway. Written by it, emptied by who looks after it.

    Field ``<socket>``: JSON ``[table, player, seat, socket]``.
    """
    return f"{{gateways}}:seats:{gateway}"


def gateway_claim(gateway: str) -> str:
    """String with a lifetime: which gateway looks after the seats of one that has died. Written by that one."""
    return f"{{gateways}}:claim:{gateway}"


def creation_paused() -> str:
    """String: there while no new tables are opened. Written by the lobby."""
    return "ops:paused"


def notice() -> str:
    """String with a lifetime: what all players are told, JSON. Written by the console."""
    return "ops:notice"


def processes() -> str:
    """Hash: every process that runs, field its name, JSON of what it tells of itself. Written by each process."""
    return "ops:processes"


def order(process: str) -> str:
    """String with a lifetime: what a process is to do, ``drain``. Written by the console."""
    return f"ops:order:{process}"


def operator_session(token_hash: str) -> str:
    """Hash with a lifetime: who an operator's session is of, by the SHA-256 of its token. Written by the console."""
    return f"ops:session:{token_hash}"


def failed_logins(who: str) -> str:
    """String with a lifetime: failed logins of an address or an account in this minute. Written by the console."""
    return f"ops:logins:{who}"


def audit() -> str:
    """Stream: what operators did, and tried to do. Written by the console."""
    return "ops:audit"


def looked_at() -> str:
    """Hash: tables that the console looks at, each until when (ms). Written by the console."""
    return "ops:looked"


def sights(table: str) -> str:
    """Hash with a lifetime: of each gateway the sockets at a table that is looked at. Written by the gateway."""
    return f"{{s{shard(table)}}}:sockets:{table}"


def player_seat(player: str) -> str:
    """String with a lifetime: the table where the player sits. Written by the lobby."""
    return f"player:{player}:seat"


def code(code: str) -> str:
    """String with a lifetime: the table that has this short code. Written by the lobby."""
    return f"code:{code}"


def session(token_hash: str) -> str:
    """Hash with a lifetime: player and name of a session, by the SHA-256 of its token. Written by the gateway."""
    return f"session:{token_hash}"


def missed_codes(address: str) -> str:
    """String with a lifetime: how many codes that no table has an address tried in this minute. By the gateway."""
    return f"codes:{address}"


def opened_tables(player: str) -> str:
    """String with a lifetime: how many tables a player asked for in this minute. Written by the gateway."""
    return f"opened:{player}"


def hosted(player: str) -> str:
    """Sorted set with a lifetime: open tables of which a player is host without a seat, by creation. By the lobby."""
    return f"player:{player}:hosted"


def guests(address: str) -> str:
    """String with a lifetime: how many guests an address asked for in this minute. Written by the gateway."""
    return f"guests:{address}"
