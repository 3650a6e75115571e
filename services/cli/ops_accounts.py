"""The console's file of accounts, as the command line writes it: ``name:role:hash`` a line, only its owner reads it."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path
from typing import Final

from argon2 import PasswordHasher

ROLES: Final = ("viewer", "operator")
LOGIN: Final = "operator.txt"
"""Beside the accounts that ``pandemonium up`` makes: the name and the password of the first operator."""
_NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,32}")
_FEWEST: Final = 12


class BadAccount(Exception):
    """An account that can't be; the message says why."""


def hashed(password: str) -> str:
    """The password's Argon2id hash. Raises :class:`BadAccount` for one that is too short."""
    if len(password) < _FEWEST:
        raise BadAccount(f"a password has at least {_FEWEST} characters")
    return PasswordHasher().hash(password)


def add(file: Path, name: str, role: str, password: str) -> None:
    """Adds an account, or gives the one of that name another role and password. Raises :class:`BadAccount`."""
    if not _NAME.fullmatch(name):
        raise BadAccount("a name is 1 to 32 letters, digits, '.', '_' and '-'")
    if role not in ROLES:
        raise BadAccount(f"a role is one of {', '.join(ROLES)}")
    line = f"{name}:{role}:{hashed(password)}"
    _write(file, [*_others(file, name), line])


def remove(file: Path, name: str) -> None:
    """Takes an account away. Raises :class:`BadAccount` if there is none of that name."""
    others = _others(file, name)
    if not file.exists() or len(others) == len(file.read_text().splitlines()):
        raise BadAccount(f"there is no account {name}")
    _write(file, others)


def first_operator(data: Path) -> Path:
    """The accounts of a platform's data folder. At the first start they are made: one operator, a random password."""
    folder = data / "ops"
    file = folder / "accounts"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        password = secrets.token_urlsafe(18)
        _write(folder / LOGIN, ["operator", password])
        add(file, "operator", "operator", password)
    return file


def _others(file: Path, name: str) -> list[str]:
    lines = file.read_text().splitlines() if file.exists() else []
    return [line for line in lines if not line.startswith(f"{name}:")]


def _write(file: Path, lines: list[str]) -> None:
    """All or nothing: whoever reads it meanwhile gets the old one or the new one, and who could read it still can."""
    mode = file.stat().st_mode & 0o777 if file.exists() else 0o600
    new = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as out:
        os.fchmod(handle, mode)
        out.write("".join(f"{line}\n" for line in lines))
    new.replace(file)
