"""`pandemonium ops …`: what the operators' console can, from the command line."""

from __future__ import annotations

import getpass
import json
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from services.cli import ops_accounts
from services.cli.ops_accounts import BadAccount
from services.cli.ops_client import OpsClient, OpsProblem

DEFAULT_URL: Final = "http://127.0.0.1:8090"
DEFAULT_LOGIN: Final = Path("data/ops") / ops_accounts.LOGIN

ops = typer.Typer(help="What the operators' console can, from the command line.", no_args_is_help=True)
users = typer.Typer(help="The console's accounts, in their file.", no_args_is_help=True)
ops.add_typer(users, name="user")

Url = Annotated[str, typer.Option(envvar="PANDEMONIUM_OPS_URL", help="Of the console.")]
Name = Annotated[str, typer.Option("--user", envvar="PANDEMONIUM_OPS_USER", help="Whose account.")]
LoginFile = Annotated[
    Path, typer.Option("--login", help="A file of two lines, name and password, used without --user.")
]
TableArgument = Annotated[str, typer.Argument(metavar="TABLE", help="The table's id.")]
File = Annotated[Path, typer.Option("--file", help="The file of accounts (OPS_ACCOUNTS_FILE of the console).")]

_where: dict[str, Any] = {"url": DEFAULT_URL, "name": "", "login": DEFAULT_LOGIN}


@ops.callback()
def where(url: Url = DEFAULT_URL, name: Name = "", login: LoginFile = DEFAULT_LOGIN) -> None:
    """What the operators' console can, from the command line.

    The password comes from PANDEMONIUM_OPS_PASSWORD, from the file of --login, or is asked for.
    """
    _where.update(url=url, name=name, login=login)


@ops.command()
def tables(
    search: Annotated[str, typer.Argument(help="In an id, a code or a name.")] = "",
    state: Annotated[str | None, typer.Option(help="open, playing, between, ended or closed.")] = None,
    sort: Annotated[str, typer.Option(help="created, since, state, people, hand or id.")] = "created",
    page: Annotated[int, typer.Option(min=1)] = 1,
    size: Annotated[int, typer.Option(min=1, max=200)] = 50,
) -> None:
    """List tables, private and closed ones too."""
    with _session() as session:
        found = session.get("/tables", search=search, state=state, sort=sort, page=page, size=size)
    rows = [
        [t["id"], t["code"], t["state"] + (" frozen" if t["frozen"] else ""), f"{t['present']}/{t['people']}",
         str(t["bots"]), str(t["hand"]), ", ".join(t["names"])]
        for t in found["tables"]
    ]  # fmt: skip
    _print(["table", "code", "state", "people", "bots", "hand", "names"], rows)
    typer.echo(f"{len(rows)} of {found['total']} tables")


@ops.command()
def table(table: TableArgument) -> None:
    """Show one table: its seats and their sockets."""
    with _session() as session:
        found = session.get(f"/tables/{table}")
    state = found["state"] + (", frozen" if found["frozen"] else "")
    typer.echo(f"{found['id']}: {state}, match {found['match']}, hand {found['hand']}, {found['watchers']} watching")
    rows = [
        [str(s["index"]), s["name"] or "-", "bot" if s["bot"] else "person" if s["player"] else "free",
         "here" if s["present"] else "away", "-" if s["rtt_ms"] is None else f"{s['rtt_ms']} ms", str(s["total"])]
        for s in found["seats"]
    ]  # fmt: skip
    _print(["seat", "name", "who", "socket", "round trip", "points"], rows)


@ops.command()
def log(table: TableArgument, after: Annotated[int, typer.Option(min=0, help="An event's number.")] = 0) -> None:
    """Follow a table's events as they happen; Ctrl-C ends it."""
    with _session() as session:
        try:
            for text in session.events(f"/tables/{table}/log", after):
                typer.echo(text)
        except KeyboardInterrupt:
            return


@ops.command()
def announce(
    text: Annotated[str, typer.Argument(help="What all players are told, in English; empty: nothing any more.")],
    es: Annotated[str, typer.Option(help="The same in Spanish.")] = "",
    pt: Annotated[str, typer.Option(help="The same in Portuguese.")] = "",
    ru: Annotated[str, typer.Option(help="The same in Russian.")] = "",
    minutes: Annotated[int, typer.Option(min=1, max=1440, help="For how long.")] = 30,
) -> None:
    """Tell all players something."""
    texts = {language: said for language, said in (("en", text), ("es", es), ("pt", pt), ("ru", ru)) if said}
    with _session() as session:
        if texts:
            session.post("/notice", {"texts": texts, "minutes": minutes})
        else:
            session.delete("/notice")
    typer.echo("done")


@ops.command()
def close(table: TableArgument) -> None:
    """Close a table; a running hand ends without a score."""
    _do(f"/tables/{table}/close")


@ops.command()
def freeze(table: TableArgument) -> None:
    """Hold a table still."""
    _do(f"/tables/{table}/freeze")


@ops.command()
def thaw(table: TableArgument) -> None:
    """Let a table that is held still go on."""
    _do(f"/tables/{table}/thaw")


@ops.command()
def remove(table: TableArgument, seat: Annotated[int, typer.Argument(min=0, max=7)]) -> None:
    """Send the person at a seat away from the table for good."""
    _do(f"/tables/{table}/seats/{seat}/remove")


@ops.command()
def processes() -> None:
    """List the platform's processes."""
    with _session() as session:
        found = session.get("/overview")["processes"]
    rows = [
        [p["name"], f"{p['host']}:{p['port']}", str(p["pid"]),
         "draining" if p["draining"] else "ready" if p["ready"] else "not ready",
         ", ".join(name for name, passed in p["checks"].items() if not passed)]
        for p in found
    ]  # fmt: skip
    _print(["process", "address", "pid", "state", "failing checks"], rows)


@ops.command()
def drain(process: Annotated[str, typer.Argument(metavar="PROCESS", help="As `processes` names it.")]) -> None:
    """Have a process take nothing new and hand over what it has; it stays until it is told to end."""
    _do(f"/processes/{process}/drain")


@ops.command()
def pause() -> None:
    """Open no new tables until `resume`."""
    _do("/creation", {"paused": True})


@ops.command()
def resume() -> None:
    """Open new tables again."""
    _do("/creation", {"paused": False})


@ops.command()
def audit(
    limit: Annotated[int, typer.Option(min=1, max=500)] = 50, before: Annotated[str, typer.Option()] = ""
) -> None:
    """Show what operators did and tried to do, newest first; a line of JSON each where it is no terminal."""
    with _session() as session:
        entries = session.get("/audit", limit=limit, before=before)["entries"]
    if not sys.stdout.isatty():
        for entry in entries:
            typer.echo(json.dumps(entry, ensure_ascii=False))
        return
    rows = [
        [datetime.fromtimestamp(e["at"] / 1000, UTC).isoformat(" ", "seconds"), e["who"], e["address"], e["what"],
         e["on"], e["detail"], e["result"]]
        for e in entries
    ]  # fmt: skip
    _print(["at (UTC)", "who", "from", "what", "on", "detail", "result"], rows)


@ops.command(name="users")
def list_users() -> None:
    """List the console's accounts."""
    with _session() as session:
        _print(["name", "role"], [[u["name"], u["role"]] for u in session.get("/users")["users"]])


@ops.command()
def password(
    random: Annotated[bool, typer.Option("--random", help="Make a password and print it before its hash.")] = False,
) -> None:
    """Ask for a password and print its hash, for a line `name:role:hash` of a file of accounts."""
    with _told():
        chosen = secrets.token_urlsafe(18) if random else _asked_twice()
        line = ops_accounts.hashed(chosen)
        if random:
            typer.echo(chosen)
        typer.echo(line)


@users.command(name="add")
def add_user(
    name: Annotated[str, typer.Argument()],
    file: File,
    role: Annotated[str, typer.Option(help="viewer or operator.")] = "viewer",
    random: Annotated[bool, typer.Option("--random", help="Make a password and print it.")] = False,
) -> None:
    """Add an account to a file, or change its role and password; a running console takes it at once."""
    with _told():
        chosen = secrets.token_urlsafe(18) if random else _asked_twice()
        ops_accounts.add(file, name, role, chosen)
        typer.echo(chosen if random else "done")


@users.command(name="remove")
def remove_user(name: Annotated[str, typer.Argument()], file: File) -> None:
    """Take an account out of a file; its sessions end at once."""
    with _told():
        ops_accounts.remove(file, name)
        typer.echo("done")


def _do(path: str, body: Any = None) -> None:
    with _session() as session:
        session.post(path, body)
    typer.echo("done")


@contextmanager
def _session() -> Iterator[OpsClient]:
    with _told():
        name, secret = _login()
        with OpsClient(_where["url"], name, secret) as session:
            yield session


def _login() -> tuple[str, str]:
    name, login = _where["name"], _where["login"]
    if not name and login.exists():
        lines = login.read_text().splitlines()
        if len(lines) < 2:
            raise OpsProblem(f"{login} has no two lines")
        return lines[0], lines[1]
    if not name:
        raise OpsProblem(f"who? --user NAME, or --login FILE ({login} is not there)")
    return name, os.environ.get("PANDEMONIUM_OPS_PASSWORD") or getpass.getpass(f"Password of {name}: ")


def _asked_twice() -> str:
    given = os.environ.get("PANDEMONIUM_OPS_PASSWORD")
    if given:
        return given
    first = getpass.getpass("Password: ")
    if first != getpass.getpass("Once more: "):
        raise BadAccount("the two are not the same")
    return first


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except (OpsProblem, BadAccount, OSError) as error:
        typer.secho(f"pandemonium: {error}", err=True, fg=typer.colors.RED)
        raise typer.Exit(1) from None


def _print(headings: list[str], rows: list[list[str]]) -> None:
    if not sys.stdout.isatty():
        for row in rows:
            typer.echo("\t".join(row))
        return
    shown = Table(*headings)
    for row in rows:
        shown.add_row(*map(Text, row))
    Console().print(shown)
