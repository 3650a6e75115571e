"""The connection to PostgreSQL is encrypted and checked if its URL says so; files are named by its own variables."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text

from services.runtime.errors import Unavailable
from services.scoring.database import Database
from tests.certificates import Authority
from tests.postgres_server import PostgresNotFound, postgres_server


async def test_the_server_must_show_a_certificate_of_the_authority_and_gets_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, strangers = Authority(tmp_path).papers(), Authority(tmp_path, "strangers").papers()
    monkeypatch.setenv("PGSSLROOTCERT", ours.ca)
    try:
        with postgres_server(papers=ours) as url:
            database = Database(f"{url}?ssl=verify-full")
            async with database.read("test") as connection:
                found = await connection.execute(text("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"))
                assert found.scalar_one() is True
            await database.close()

            monkeypatch.setenv("PGSSLROOTCERT", strangers.ca)
            distrusting = Database(f"{url}?ssl=verify-full")
            with pytest.raises(Unavailable):
                await distrusting.ping()
            await distrusting.close()
    except PostgresNotFound as missing:
        pytest.skip(str(missing))
