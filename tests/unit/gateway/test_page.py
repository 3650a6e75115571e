"""The page's files: which bytes, kept how long, under which policy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from services.gateway import page, problems

SCRIPT = b"export const answer = 42;"


@pytest.fixture
def dist(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_bytes(b"<!doctype html>")
    (tmp_path / "icon.svg").write_bytes(b"<svg/>")
    script = tmp_path / "assets" / "index-1a2b.js"
    script.write_bytes(SCRIPT)
    script.with_name("index-1a2b.js.br").write_bytes(b"brotli")
    script.with_name("index-1a2b.js.gz").write_bytes(b"gzipped")
    return tmp_path


@pytest.fixture
def browser(dist: Path) -> Iterator[TestClient]:
    app = FastAPI(openapi_url=None)
    problems.install(app)

    @app.post("/api/v1/guests")
    async def create_guest() -> None:
        pass

    app.include_router(page.routes(page.read(dist)))
    with TestClient(app) as client:
        client.headers["Accept-Encoding"] = "identity"
        yield client


@pytest.mark.parametrize("path", ["/", "/table/abc_-9", "/aces-up", "/replay/m1/3"])
def test_every_view_is_the_one_document_and_is_asked_for_anew(browser: TestClient, path: str) -> None:
    answer = browser.get(path)
    assert (answer.status_code, answer.content) == (200, b"<!doctype html>")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"


def test_a_file_named_after_its_content_is_kept_for_good(browser: TestClient) -> None:
    answer = browser.get("/assets/index-1a2b.js")
    assert answer.content == SCRIPT
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert browser.get("/icon.svg").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("br;q=0, GZIP;q=0.5", "gzip"),
        ("identity", None),
        ("", None),
    ],
)
def test_the_best_compression_that_the_browser_takes_is_chosen(
    browser: TestClient, accepted: str, coding: str | None
) -> None:
    with browser.stream("GET", "/assets/index-1a2b.js", headers={"Accept-Encoding": accepted}) as answer:
        raw = b"".join(answer.iter_raw())
    assert answer.headers.get("content-encoding") == coding
    assert raw == {"br": b"brotli", "gzip": b"gzipped", None: SCRIPT}[coding]
    assert answer.headers["vary"] == "Accept-Encoding"


def test_what_a_browser_has_is_not_sent_again(browser: TestClient) -> None:
    first = browser.get("/")
    again = browser.get("/", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert browser.get("/", headers={"If-None-Match": '"another"'}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/icon.svg", "/assets/index-1a2b.js"])
def test_nothing_may_be_loaded_from_elsewhere(browser: TestClient, path: str) -> None:
    policy = browser.get(path).headers["content-security-policy"]
    directives = {name: sources for name, *sources in map(str.split, policy.split(";"))}
    assert directives["default-src"] == directives["frame-ancestors"] == ["'none'"]
    assert directives["script-src"] == directives["style-src"] == directives["connect-src"] == ["'self'"]
    assert not {"'unsafe-inline'", "'unsafe-eval'", "*", "https:"} & {s for each in directives.values() for s in each}


@pytest.mark.parametrize("path", ["/api/v1/nowhere", "/assets/gone-1.js", "/favicon.ico"])
def test_what_is_no_view_is_not_there(browser: TestClient, path: str) -> None:
    assert browser.get(path).status_code == 404


def test_the_views_hide_no_call_of_the_api(browser: TestClient) -> None:
    assert browser.get("/api/v1/guests").status_code == 405


def test_a_page_that_was_not_built_says_so(tmp_path: Path) -> None:
    app = FastAPI(openapi_url=None)
    app.include_router(page.routes(page.read(tmp_path)))
    with TestClient(app) as client:
        answer = client.get("/")
    assert answer.status_code == 503
    assert "make install" in answer.text
