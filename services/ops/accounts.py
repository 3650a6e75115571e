"""Who may use the console: accounts with a role and the hash of a password (Argon2id), kept in a file.

The file has one account a line, ``name:role:hash``; empty lines and those that begin with ``#`` are left out. There is
no account and no password unless somebody made one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import InvalidHashError, VerificationError

_NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,32}")
_hasher: Final = PasswordHasher()
_NOBODYS: Final = _hasher.hash("no password of anybody")
"""Checked where there is no such account, so that this takes as long."""


class Role(StrEnum):
    """What an account may do."""

    VIEWER = "viewer"
    """Look at everything."""
    OPERATOR = "operator"
    """Act as well."""


class BadAccounts(Exception):
    """The file can't be read as accounts; the message names the line."""


@dataclass(frozen=True, slots=True)
class Account:
    """One account."""

    name: str
    role: Role
    hash: str


def parse(text: str) -> dict[str, Account]:
    """The accounts of a file, by name. Raises :class:`BadAccounts`."""
    found: dict[str, Account] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        name, _, rest = line.strip().partition(":")
        role, _, hashed = rest.partition(":")
        if not _NAME.fullmatch(name) or role not in list(Role) or name in found:
            raise BadAccounts(f"line {number}: name:role:hash is wanted, each name once, roles viewer and operator")
        try:
            extract_parameters(hashed)
        except InvalidHashError:
            raise BadAccounts(f"line {number}: no Argon2 hash; `pandemonium ops password` makes one") from None
        found[name] = Account(name, Role(role), hashed)
    return found


class Accounts:
    """The accounts of a file, read again when it changes."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._stamp: tuple[int, int] | None = None
        self._accounts: dict[str, Account] = {}

    @property
    def all(self) -> dict[str, Account]:
        """By name; empty if there is no file, and then the console is off. Raises :class:`BadAccounts`."""
        if self._path is None:
            return {}
        try:
            status = self._path.stat()
            stamp = (status.st_mtime_ns, status.st_size)
            if stamp != self._stamp:
                self._accounts = parse(self._path.read_text())
                self._stamp = stamp
        except FileNotFoundError:
            self._accounts, self._stamp = {}, None
        return self._accounts

    def verify(self, name: str, password: str) -> Account | None:
        """The account, if that is its password. Takes some 50 ms of a processor, whether there is such an account."""
        account = self.all.get(name)
        try:
            _hasher.verify(account.hash if account else _NOBODYS, password)
        except (VerificationError, InvalidHashError):
            return None
        return account
