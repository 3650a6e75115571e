"""The connection to PostgreSQL is encrypted and checked if its URL or PGSSLMODE says so; variables name its files."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text

from services.runtime.errors import Unavailable
from services.scoring.database import Database
from tests.certificates import Authority
from tests.postgres_server import PostgresNotFound, postgres_server


@pytest.mark.parametrize("said", ["in its URL", "by a variable"])
async def test_the_server_must_show_a_certificate_of_the_authority_and_gets_one(
    said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, strangers = Authority(tmp_path).papers(), Authority(tmp_path, "strangers").papers()
    monkeypatch.setenv("PGSSLROOTCERT", ours.ca)
    asked = "?ssl=verify-full" if said == "in its URL" else ""
    if not asked:
        monkeypatch.setenv("PGSSLMODE", "verify-full")
    try:
        with postgres_server(papers=ours) as server:
            database = Database(f"{server.url}{asked}")
            async with database.read("test") as connection:
                found = await connection.execute(text("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"))
                assert found.scalar_one() is True
            await database.close()

            monkeypatch.setenv("PGSSLROOTCERT", strangers.ca)
            distrusting = Database(f"{server.url}{asked}")
            with pytest.raises(Unavailable):
                await distrusting.ping()
            await distrusting.close()
    except PostgresNotFound as missing:
        pytest.skip(str(missing))
