"""Cookies that a neighbour can't plant, and origins that count."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.doorkeeper import credentials, set_cookie
from services.runtime.request_origin import same_origin


def request(scheme: str, **headers: str) -> Request:
    raw = [
        (name.replace("_", "-").encode(), value.encode()) for name, value in {"host": "play.test", **headers}.items()
    ]
    scope: dict[str, Any] = {"type": "http", "scheme": scheme, "path": "/", "query_string": b"", "headers": raw}
    return Request(scope)


def cookie_of(scheme: str) -> str:
    response = Response()
    set_cookie(response, request(scheme), "token-1", 60)
    return response.headers["set-cookie"]


def test_over_https_the_cookie_is_bound_to_this_very_host() -> None:
    cookie = cookie_of("https")
    assert cookie.startswith("__Host-session=token-1;")
    assert all(part in cookie for part in ("Secure", "HttpOnly", "SameSite=strict", "Path=/"))
    assert "Domain" not in cookie


def test_over_plain_http_browsers_would_not_take_that_name_so_it_is_another() -> None:
    cookie = cookie_of("http")
    assert cookie.startswith("session=token-1;")
    assert all(part in cookie for part in ("HttpOnly", "SameSite=strict", "Path=/"))
    assert "Secure" not in cookie


def test_over_https_a_cookie_that_a_neighbour_may_have_planted_does_not_count() -> None:
    assert credentials(request("https", cookie="session=planted")) is None
    found = credentials(request("https", cookie="session=planted; __Host-session=mine"))
    assert found is not None
    assert (found.token, found.from_cookie) == ("mine", True)


@pytest.mark.parametrize(
    ("scheme", "origin", "same"),
    [
        ("http", "http://play.test", True),
        ("https", "https://play.test", True),
        # A proxy in front speaks TLS and does not say so.
        ("http", "https://play.test", True),
        ("https", "http://play.test", False),
        ("http", "http://play.test:81", False),
        ("http", "http://play.test.evil.test", False),
        ("http", "null", False),
        ("http", "", False),
        ("http", "http://[", False),
    ],
)
def test_only_this_sites_own_pages_are_of_the_same_origin(scheme: str, origin: str, same: bool) -> None:
    assert same_origin(request(scheme, origin=origin)) is same


def test_a_program_sends_no_origin() -> None:
    assert same_origin(request("https"))


def test_what_was_sent_on_purpose_goes_before_a_cookie() -> None:
    found = credentials(request("http", authorization="Bearer mine", cookie="session=other"))
    assert found is not None
    assert (found.token, found.from_cookie) == ("mine", False)
