"""Who sits where: creating a table, joining, leaving, bots, presence, closing. Pure functions.

Refusals are faults whose reasons the contract names (``lobby.proto``). What a player may do is decided here and only
here; that a player sits at one table at a time is decided by the player's own key (``redis_claims.py``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from hmac import compare_digest
from typing import Final

from services.lobby.table import FEWEST_SEATS, MOST_SEATS, Lease, Pace, PlayerId, Seat, State, Strength, Table
from services.runtime.errors import FailedPrecondition, InvalidArgument, PermissionDenied

MOST_BARRED: Final = 64
"""So many whom the host has sent away are remembered; a table does not grow without end."""


def seat_count(seats: int) -> int:
    """The number of seats, if a table can have that many. Raises ``BAD_SEATS``."""
    if not FEWEST_SEATS <= seats <= MOST_SEATS:
        raise InvalidArgument("BAD_SEATS", f"a table has {FEWEST_SEATS} to {MOST_SEATS} seats")
    return seats


def require_host(table: Table, player: str) -> None:
    """Raises ``NOT_HOST``."""
    if not player or table.host != player:
        raise PermissionDenied("NOT_HOST", "only the table's host may do this")


def require_seat(table: Table, player: str) -> int:
    """The player's seat. Raises ``NOT_SEATED``."""
    seat = table.seat_of(player)
    if seat is None:
        raise PermissionDenied("NOT_SEATED", "this player does not sit at this table")
    return seat


def require_living(table: Table) -> None:
    """Raises ``TABLE_CLOSED``."""
    if table.state is State.CLOSED:
        raise FailedPrecondition("TABLE_CLOSED", "the table is closed")


def require_open(table: Table) -> None:
    """Raises ``TABLE_CLOSED``, or ``MATCH_RUNNING`` if seats are no longer given away."""
    require_living(table)
    if table.state is not State.OPEN:
        raise FailedPrecondition("MATCH_RUNNING", "the table's match has begun")


def join(table: Table, player: PlayerId, name: str, invite: str, now_ms: int) -> Table:
    """Takes the first free seat; the same player again keeps the same one.

    Raises ``TABLE_CLOSED``, ``MATCH_RUNNING``, ``TABLE_FULL``, ``SENT_AWAY``, and ``BAD_INVITE`` at a private table.
    """
    require_living(table)
    if table.seat_of(player) is not None:
        return table
    if player in table.barred:
        raise PermissionDenied("SENT_AWAY", "this player was sent away from the table")
    invited = (
        table.public
        or table.host == player
        or (table.invite and compare_digest(table.invite.encode(), invite.encode()))
    )
    if not invited:
        raise PermissionDenied("BAD_INVITE", "a private table needs its invite code")
    require_open(table)
    seat = table.free_seat()
    if seat is None:
        raise FailedPrecondition("TABLE_FULL", "no seat is free")
    # Someone who joins has no socket yet; who never gets one does not keep the seat for ever.
    table = table.with_seat(seat, Seat(player=player, name=name, away_ms=now_ms))
    return replace(table, waiting_ms=now_ms, unchecked_ms=table.unchecked_ms or now_ms)


def leave(table: Table, player: str, now_ms: int) -> Table:
    """Gives the player's seat up.

    Before and after a match it becomes free, and in a solo game, which nobody else goes on with; in a match, also one
    that a dispute has go on, it becomes a bot's, points and all; a bot's seat waits for another worker. The next person
    becomes host. When the last person leaves, the table closes, unless it is watched. Raises ``NOT_SEATED``; a closed
    table stays as it is.
    """
    if table.state is State.CLOSED:
        return table
    index = require_seat(table, player)
    old = table.seats[index]
    if old.bot:
        seat = _vacated(old)
    elif table.solo or (table.state in (State.OPEN, State.ENDED) and not table.voiding):
        seat = Seat()
    else:
        seat = Seat(bot=True, total=old.total)
    table = table.with_seat(index, seat)
    if old.bot:
        return table
    if not table.people and not table.watched:
        return close(table, now_ms)
    if table.host == player and table.people:
        table = replace(table, host=table.people[0].player)
    return table


def end(table: Table, player: str, now_ms: int) -> Table:
    """Has the host end the table. In quick play people are nobody's guests: there nobody ends it for the others.

    Raises ``NOT_HOST``.
    """
    require_host(table, player)
    if table.quick and any(seat.player != player for seat in table.people):
        raise PermissionDenied("NOT_HOST", "others play at this table, and quick play has no host")
    return close(table, now_ms)


def close(table: Table, now_ms: int) -> Table:
    """Ends the table for good."""
    if table.state is State.CLOSED:
        return table
    return replace(table, state=State.CLOSED, since_ms=now_ms)


def add_bot(table: Table, strength: Strength, pace: Pace, now_ms: int) -> tuple[Table, int]:
    """Gives the first free seat to a bot yet to come. Raises ``TABLE_CLOSED``, ``MATCH_RUNNING``, ``TABLE_FULL``."""
    require_open(table)
    index = table.free_seat()
    if index is None:
        raise FailedPrecondition("TABLE_FULL", "no seat is free")
    table = table.with_seat(index, Seat(bot=True, strength=strength, pace=pace))
    return replace(table, waiting_ms=now_ms), index


def fill_with_bots(table: Table, now_ms: int) -> Table:
    """Gives every free seat to a bot yet to come."""
    seats = tuple(Seat(bot=True) if seat.free else seat for seat in table.seats)
    return table if seats == table.seats else replace(table, seats=seats, waiting_ms=now_ms)


def remove_bot(table: Table, index: int) -> Table:
    """Frees a bot's seat. Raises ``TABLE_CLOSED``, ``MATCH_RUNNING``, ``NO_BOT_THERE``."""
    require_open(table)
    if index >= len(table.seats) or not table.seats[index].bot:
        raise FailedPrecondition("NO_BOT_THERE", f"seat {index} is not a bot's")
    return table.with_seat(index, Seat())


def remove_player(table: Table, host: str, index: int, now_ms: int) -> Table:
    """Has the host send another player away, before the match: the seat is free, and the player can't come back.

    Raises ``NOT_HOST``, also in quick play, ``TABLE_CLOSED``, ``MATCH_RUNNING``, ``NO_PLAYER_THERE``.
    """
    require_host(table, host)
    if table.quick:
        raise PermissionDenied("NOT_HOST", "quick play has no host")
    require_open(table)
    if index >= len(table.seats) or not table.seats[index].person or table.seats[index].player == host:
        raise FailedPrecondition("NO_PLAYER_THERE", f"seat {index} is not another player's")
    player = table.seats[index].player
    return replace(leave(table, player, now_ms), barred=(*table.barred, player)[-MOST_BARRED:])


def expel(table: Table, index: int, now_ms: int) -> Table:
    """Has an operator send a person away, at any time: the seat goes on as after leaving, the player can't come back.

    Raises ``TABLE_CLOSED``, ``NO_PLAYER_THERE``.
    """
    require_living(table)
    if index >= len(table.seats) or not table.seats[index].person:
        raise FailedPrecondition("NO_PLAYER_THERE", f"seat {index} is not a person's")
    player = table.seats[index].player
    return replace(leave(table, player, now_ms), barred=(*table.barred, player)[-MOST_BARRED:])


def claim_bot(table: Table, lease: Lease, name: str, now_ms: int) -> Table:
    """Gives a waiting bot seat to a worker's player. Raises ``TABLE_CLOSED``, ``SEAT_TAKEN``."""
    require_living(table)
    if lease.seat not in table.wanted or table.seat_of(lease.player) is not None:
        raise FailedPrecondition("SEAT_TAKEN", "the seat no longer waits for a bot")
    old = table.seats[lease.seat]
    seat = replace(old, player=lease.player, name=name, worker=lease.worker, away_ms=now_ms, ready=False, nonce="")
    table = table.with_seat(lease.seat, seat)
    return replace(table, unchecked_ms=table.unchecked_ms or now_ms)


def lapse(table: Table, lease: Lease) -> Table:
    """Has a bot's seat wait for another worker, if it is still held by this lease."""
    if lease not in table.leases:
        return table
    return table.with_seat(lease.seat, _vacated(table.seats[lease.seat]))


def set_presence(table: Table, player: str, present: bool, now_ms: int, socket: str = "") -> Table:
    """Notes that the player's socket came or went. A player without a seat here changes nothing.

    ``socket``: its name, where no engine knows which is the newest.
    """
    index = table.seat_of(player)
    if index is None or table.state is State.CLOSED:
        return table
    seat = table.seats[index]
    if present:
        after = replace(seat, away_ms=0, socket=socket)
    elif socket and seat.socket not in ("", socket):
        return table
    else:
        after = replace(seat, away_ms=seat.away_ms or now_ms, socket="")
    return table if after == seat else table.with_seat(index, after)


def drop_absent(table: Table, gone_before_ms: int, now_ms: int) -> Table:
    """Has every person leave who has been away since ``gone_before_ms`` or longer."""
    return _all_leave(table, (s.player for s in table.people if 0 < s.away_ms <= gone_before_ms), now_ms)


def drop(table: Table, players: Iterable[PlayerId], now_ms: int) -> Table:
    """Has the given players leave, those who sit here: they were found to sit somewhere else."""
    return _all_leave(table, (player for player in players if table.seat_of(player) is not None), now_ms)


def kept(table: Table, again_ms: int) -> Table:
    """Notes that the claims of all players were renewed, and when to do it again."""
    return replace(table, keep_at_ms=again_ms, unchecked_ms=0)


def settled(table: Table) -> Table:
    """Notes that nothing runs at a closed table any more and nobody is claimed for it."""
    return table if table.settled or table.state is not State.CLOSED else replace(table, settled=True)


def _all_leave(table: Table, players: Iterable[PlayerId], now_ms: int) -> Table:
    for player in tuple(players):
        table = leave(table, player, now_ms)
    return table


def _vacated(seat: Seat) -> Seat:
    return Seat(bot=True, strength=seat.strength, pace=seat.pace, total=seat.total)
