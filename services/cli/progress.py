"""The progress of a match: a picture of the table on a terminal, plain lines elsewhere."""

from __future__ import annotations

from types import TracebackType
from typing import Final, Self

from rich.console import Console
from rich.live import Live

from services.cli import sheet
from services.cli.house_rules import words_of
from services.cli.table_text import board, name_of
from services.client import TableSession
from services.client.models import HandSheet
from services.rules.hand import Phase
from services.rules.words import Words

_EVENTS_A_LINE: Final = 100


class Progress:
    """Shows how far a match is, as often as :meth:`update` is called but not more often than is useful."""

    def __init__(self, session: TableSession, console: Console) -> None:
        self._session = session
        self._console = console
        self._live = Live(console=console, refresh_per_second=8) if console.is_terminal else None
        self._said_at = 0
        self._said: tuple[int, Phase | None] = (0, None)

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def update(self) -> None:
        """The session has moved on."""
        view = self._session.view
        if view is None:
            return
        if self._live is not None:
            self._live.update(board(view, self._session.table))
        elif (view.hand, view.phase) != self._said or view.seq >= self._said_at + _EVENTS_A_LINE:
            self._said, self._said_at = (view.hand, view.phase), view.seq
            demons = ", ".join(f"{name_of(self._session.table, i)} {s.demon_count}" for i, s in enumerate(view.seats))
            state = view.phase.value if view.phase else "waiting"
            line = f"hand {view.hand} {state}, event {view.seq}; left in each {self._words.pile}: {demons or '-'}"
            self._console.print(line, markup=False, soft_wrap=True)

    @property
    def _words(self) -> Words:
        return words_of(self._session.table.options)

    def sheet(self, counted: HandSheet) -> None:
        """A hand was counted."""
        if self._console.is_terminal:
            self._console.print(sheet.grid(counted, self._words))
        else:
            for line in sheet.lines(counted, self._words):
                self._console.print(line, markup=False, soft_wrap=True)
