"""A table as sockets see it: encoded once for those who may see the invite and once for the rest."""

from __future__ import annotations

from functools import cached_property

from services.gateway.models import Table


class TableView:
    """One version of a table."""

    def __init__(self, table: Table, asker: str = "") -> None:
        """``asker``: the player as whom the lobby was asked; with the invite if it is for that player."""
        self._table = table
        self._asker = asker

    @property
    def id(self) -> str:
        """The table's id."""
        return self._table.id

    @property
    def version(self) -> int:
        """Rises with every change."""
        return self._table.version

    @property
    def closed(self) -> bool:
        """Whether the table is closed for good."""
        return self._table.state == "closed"

    def seat_of(self, player: str | None) -> int | None:
        """The seat where the player sits."""
        return next((seat.index for seat in self._table.seats if seat.player == player), None)

    def is_present(self, seat: int) -> bool:
        """Whether the lobby takes the seat's player for present."""
        return any(each.present for each in self._table.seats if each.index == seat)

    def for_player(self, player: str | None) -> bytes:
        """The table in JSON; with invite and code only for the host and those seated."""
        return self._whole if self.sees_invite(player) else self._without_invite

    def serves(self, player: str | None) -> bool:
        """Whether all that this player may see is in it."""
        return self.sees_invite(self._asker) or not self.sees_invite(player)

    def sees_invite(self, player: str | None) -> bool:
        """Whether the invite is for this player: the host, or one who is seated."""
        return player is not None and (player == self._table.host or self.seat_of(player) is not None)

    @cached_property
    def _whole(self) -> bytes:
        return self._table.model_dump_json().encode()

    @cached_property
    def _without_invite(self) -> bytes:
        return self._table.model_copy(update={"invite": "", "code": ""}).model_dump_json().encode()
