"""Accounts: none unless somebody made one, and what is wrong in a file lets nobody in."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from services.cli import ops_accounts
from services.cli.__main__ import app
from services.cli.ops_accounts import LOGIN, BadAccount
from services.ops.accounts import Accounts, BadAccounts, Role, parse

PASSWORD = "a long enough one"


def test_what_the_command_line_writes_lets_in_with_that_password_only(tmp_path: Path) -> None:
    file = tmp_path / "accounts"
    ops_accounts.add(file, "ada", "operator", PASSWORD)
    ops_accounts.add(file, "bob", "viewer", PASSWORD + "2")
    accounts = Accounts(file)
    ada = accounts.verify("ada", PASSWORD)
    assert ada is not None
    assert (ada.name, ada.role) == ("ada", Role.OPERATOR)
    assert accounts.verify("ada", PASSWORD + "2") is None
    assert accounts.verify("nobody", PASSWORD) is None
    assert accounts.verify("bob", "") is None
    assert PASSWORD not in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_change_of_the_file_counts_at_once(tmp_path: Path) -> None:
    file = tmp_path / "accounts"
    accounts = Accounts(file)
    assert accounts.all == {}
    ops_accounts.add(file, "ada", "viewer", PASSWORD)
    assert accounts.all["ada"].role.value == "viewer"
    ops_accounts.add(file, "ada", "operator", PASSWORD)
    assert accounts.all["ada"].role.value == "operator"
    ops_accounts.add(file, "bob", "viewer", PASSWORD)
    ops_accounts.remove(file, "ada")
    assert accounts.all.keys() == {"bob"}


def test_who_may_read_the_file_still_may_after_a_change(tmp_path: Path) -> None:
    file = tmp_path / "accounts"
    ops_accounts.add(file, "ada", "viewer", PASSWORD)
    file.chmod(0o640)
    ops_accounts.add(file, "bob", "viewer", PASSWORD)
    ops_accounts.remove(file, "ada")
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_password_made_at_random_comes_with_its_hash(tmp_path: Path) -> None:
    made = CliRunner().invoke(app, ["ops", "password", "--random"])
    password, hashed = made.output.split()
    file = tmp_path / "accounts"
    file.write_text(f"ada:operator:{hashed}\n")
    assert len(password) == 24
    assert Accounts(file).verify("ada", password)


def test_without_a_file_there_is_nobody() -> None:
    assert Accounts(None).all == {}


@pytest.mark.parametrize(
    "line",
    [
        "ada",
        "ada:operator",
        "ada:root:$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2g",
        "ada:viewer:secret",
        ":viewer:x",
    ],
)
def test_a_line_that_is_no_account_is_named_and_nothing_is_read(line: str) -> None:
    with pytest.raises(BadAccounts, match="line 2"):
        parse(f"# accounts\n{line}\n")


@pytest.mark.parametrize(
    ("name", "role", "password"),
    [
        ("a b", "viewer", PASSWORD),
        ("a:b", "viewer", PASSWORD),
        ("", "viewer", PASSWORD),
        ("ada", "root", PASSWORD),
        ("ada", "viewer", "short"),
    ],
)
def test_an_account_that_can_not_be_is_not_written(tmp_path: Path, name: str, role: str, password: str) -> None:
    with pytest.raises(BadAccount):
        ops_accounts.add(tmp_path / "accounts", name, role, password)
    assert list(tmp_path.iterdir()) == []


def test_the_first_operator_of_a_platform_is_made_once_with_a_password_of_its_own(tmp_path: Path) -> None:
    one, other = ops_accounts.first_operator(tmp_path / "one"), ops_accounts.first_operator(tmp_path / "other")
    name, password = (one.parent / LOGIN).read_text().split()
    assert Accounts(one).verify(name, password) is not None
    assert Accounts(other).verify(name, password) is None
    before = one.read_text()
    assert ops_accounts.first_operator(tmp_path / "one").read_text() == before
    assert (one.parent / LOGIN).stat().st_mode & 0o777 == 0o600


def test_the_documented_commands_add_and_remove_an_account_and_ask_nobody_who_has_the_variable(tmp_path: Path) -> None:
    file = tmp_path / "accounts"
    said = {"PANDEMONIUM_OPS_PASSWORD": PASSWORD}
    added = CliRunner().invoke(app, ["ops", "user", "add", "ada", "--role", "operator", "--file", str(file)], env=said)
    assert added.exit_code == 0, added.output
    ada = Accounts(file).verify("ada", PASSWORD)
    assert ada is not None
    assert ada.role is Role.OPERATOR
    removed = CliRunner().invoke(app, ["ops", "user", "remove", "ada", "--file", str(file)])
    assert removed.exit_code == 0, removed.output
    assert Accounts(file).verify("ada", PASSWORD) is None
