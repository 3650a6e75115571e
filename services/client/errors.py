"""Everything that can go wrong for a user of the SDK, under one root.

::

    ClientError
    ├── ConnectionProblem        nobody knows whether it happened: the edge could not be reached, or was lost
    ├── Refusal                  the edge answered "no": its problem+json, with the stable ``code``
    │   ├── BadRequest           400, 422: the request can't be
    │   ├── NotSignedIn          401
    │   ├── NotAllowed           403
    │   ├── NotFound             404
    │   ├── Conflict             409, 412: not now, in this state
    │   ├── TooMany              429
    │   └── EdgeProblem          5xx: the edge, or a service behind it, is in trouble
    ├── SessionEnded             a table's socket is closed for good
    │   ├── Left                 by the program itself, or the edge said goodbye (1000)
    │   ├── SignedOut            4001
    │   ├── NotYourSeat          4003
    │   ├── NoSuchTable          4004
    │   ├── TakenOver            4009: another socket of the same player has the seat
    │   ├── TableClosed          4010
    │   └── BrokeRules           1008, 1009: the edge cut off what it took for abuse
    ├── SetBack                  a command that was unanswered when history was lost with a machine: it is void
    ├── FellBehind               an event iterator was not read for too long; the view is right all the same
    ├── NotUnderstood            the edge did not take a frame for a command; its ``code`` says why
    ├── Watching                 a command without a seat
    └── NotTheProtocol           the edge sent something that docs/protocol.md does not allow

Losing a race and an illegal move are no errors: they are verdicts (``services.rules.verdict``).
"""

from __future__ import annotations

from typing import Final


class ClientError(Exception):
    """The root of all errors of the SDK."""


class ConnectionProblem(ClientError):
    """The edge could not be reached or the answer was lost: whether the call had an effect is unknown."""


class Refusal(ClientError):
    """The edge understood and said no.

    ``code`` is stable and meant for programs, ``detail`` for people; ``option`` names the refused option, if that is
    what was wrong.
    """

    def __init__(self, status: int, code: str, detail: str, option: str | None = None) -> None:
        super().__init__(f"{code} ({status}): {detail}" if detail else f"{code} ({status})")
        self.status = status
        self.code = code
        self.detail = detail
        self.option = option


class BadRequest(Refusal):
    """The request can't be, whatever the state."""


class NotSignedIn(Refusal):
    """No token, or one that the edge doesn't know."""


class NotAllowed(Refusal):
    """Not this player's to do."""


class NotFound(Refusal):
    """No such table, match, hand or seat."""


class Conflict(Refusal):
    """Not in the present state: the table is full, the match runs."""


class TooMany(Refusal):
    """Too many requests; later."""


class EdgeProblem(Refusal):
    """The edge, or a service behind it, is in trouble."""


class SessionEnded(ClientError):
    """The table's socket is closed for good; commands that were unanswered end with this."""

    def __init__(self, why: str = "") -> None:
        super().__init__(why or (self.__doc__ or "").split("\n")[0])


class Left(SessionEnded):
    """The session was closed by the program, or the edge said goodbye."""


class SignedOut(SessionEnded):
    """The edge doesn't know the token."""


class NotYourSeat(SessionEnded):
    """The player has no seat at this table."""


class NoSuchTable(SessionEnded):
    """There is no such table."""


class TakenOver(SessionEnded):
    """Another socket of the same player has the seat."""


class TableClosed(SessionEnded):
    """The table is closed."""


class BrokeRules(SessionEnded):
    """The edge cut the socket off."""


class SetBack(ClientError):
    """History was lost with a machine; what was unanswered is void. Look at the view and decide anew."""


class FellBehind(ClientError):
    """More events came than an iterator may leave unread."""


class NotUnderstood(ClientError):
    """The edge did not take the frame for a command; nothing changed."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


class Watching(ClientError):
    """The session has no seat, so it has no commands."""


class NotTheProtocol(ClientError):
    """The edge sent what the protocol doesn't allow."""


_BY_STATUS: Final[dict[int, type[Refusal]]] = {
    400: BadRequest,
    401: NotSignedIn,
    403: NotAllowed,
    404: NotFound,
    409: Conflict,
    412: Conflict,
    422: BadRequest,
    429: TooMany,
}
_BY_CLOSE_CODE: Final[dict[int, type[SessionEnded]]] = {
    1000: Left,
    1008: BrokeRules,
    1009: BrokeRules,
    4001: SignedOut,
    4003: NotYourSeat,
    4004: NoSuchTable,
    4009: TakenOver,
    4010: TableClosed,
}
_BY_HANDSHAKE_STATUS: Final[dict[int, type[SessionEnded]]] = {
    401: SignedOut,
    403: NotYourSeat,
    404: NoSuchTable,
    410: TableClosed,
}


def refusal(status: int, code: str, detail: str, option: str | None = None) -> Refusal:
    """The error for an HTTP status of 400 or above."""
    kind = _BY_STATUS.get(status, EdgeProblem if status >= 500 else BadRequest)
    return kind(status, code, detail, option)


def session_end(close_code: int, why: str = "") -> SessionEnded | None:
    """The error for a socket's close code, or None if the session should reconnect and resume."""
    kind = _BY_CLOSE_CODE.get(close_code)
    return kind(why) if kind else None


def handshake_end(status: int) -> SessionEnded | None:
    """The error for a socket's handshake that was answered with an HTTP status, or None if it is worth another try."""
    kind = _BY_HANDSHAKE_STATUS.get(status)
    return kind() if kind else None
