"""A judged command as the arguments of ``referee.lua`` (its head says what each means). Knows no key."""

from __future__ import annotations

from typing import Final

from services.engine.port import Judged
from services.rules.aces_up import moves as aces_up
from services.rules.aces_up.events import told
from services.rules.cards import Card
from services.rules.events import encode_body
from services.rules.moves import (
    COLUMN,
    Call,
    Choice,
    Illegal,
    MoveToColumn,
    PlayToFoundation,
    Recycle,
    Turn,
    Vote,
)

FIELDS: Final = 14
"""Arguments of one command."""

_ILLEGAL: Final = (Illegal, aces_up.Illegal)
_CHOICE: Final = {Choice.SHIFT: "s", Choice.END: "e", Choice.REPLAY: "r", Choice.WITHDRAW: "w"}


def arguments(judged: Judged) -> tuple[str, ...]:
    """The command's arguments, ``FIELDS`` of them."""
    command, before, after, opinion, _ = judged
    head = (
        str(command.seat),
        str(command.epoch),
        str(command.n),
        str(command.hand),
        str(command.seen),
        str(command.arrived_ms),
        before,
    )
    if isinstance(opinion, _ILLEGAL):
        return ("refuse", *head, "", opinion.reason, "", "", "", "")
    if isinstance(opinion, aces_up.Applied):
        return _of_aces_up(judged, opinion, head)
    progress = "1" if opinion.progress else ""
    match command.action:
        case PlayToFoundation(source, card, foundation):
            body = f'"from":"{source}","card":"{card.text}","to":{"null" if foundation is None else foundation}'
            target = "" if foundation is None else str(foundation)
            return ("play", *head, after, card.text, target, progress, body, _shows(opinion.shows))
        case MoveToColumn(source, card, column):
            body = f'"from":"{source}","card":"{card.text}","to":"{COLUMN[column]}","count":{opinion.moved}'
            return ("move", *head, after, "", "", progress, body, _shows(opinion.shows))
        case Turn():
            return ("turn", *head, after, "", "", progress, f'"count":{opinion.moved}', _shows(opinion.shows))
        case Recycle():
            return ("recycle", *head, after, "", "", progress, f'"count":{opinion.moved}', "")
        case Call():
            return ("call", *head, after, "", "", "", "", "")
        case Vote(choice, progress_seen):
            body = f'"choice":"{choice}","progress":{progress_seen}'
            return ("vote", *head, after, _CHOICE[choice], str(progress_seen), "", body, "")
        case _:
            raise ValueError("what names nothing, or is of another game, is not legal")


def _of_aces_up(judged: Judged, applied: aces_up.Applied, head: tuple[str, ...]) -> tuple[str, ...]:
    command, action = judged.command, judged.command.action
    assert isinstance(action, aces_up.Action)
    event = told(action, applied, (0, 0, command.seat, command.n, command.seen, command.arrived_ms))
    _, _, own = encode_body(event).partition(f'"arrived":{command.arrived_ms}')
    return (event.e, *head, judged.after, "", "", "end" if judged.last else "", own.removeprefix(","), "")


def _shows(card: Card | None) -> str:
    return "null" if card is None else f'"{card.text}"'
