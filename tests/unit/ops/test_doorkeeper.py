"""The cookie of an operator's session."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response

from services.ops.doorkeeper import set_cookie


@pytest.mark.parametrize(("scheme", "begins"), [("http", "ops=token-1;"), ("https", "__Host-ops=token-1;")])
def test_a_cookie_is_for_no_script_no_other_site_and_over_https_no_other_host(scheme: str, begins: str) -> None:
    scope: dict[str, Any] = {
        "type": "http",
        "scheme": scheme,
        "path": "/",
        "query_string": b"",
        "headers": [(b"host", b"ops.test")],
    }
    response = Response()
    set_cookie(response, Request(scope), "token-1")
    cookie = response.headers["set-cookie"]
    assert cookie.startswith(begins)
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
    assert ("Secure" in cookie.split("; ")) == (scheme == "https")
    assert "Domain" not in cookie
