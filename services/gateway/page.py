"""The first page: static files under a policy that lets them load nothing from elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from fastapi import APIRouter
from starlette.responses import Response

_FOLDER: Final = Path(__file__).parent / "web"
_FILES: Final = {
    "/": ("index.html", "text/html; charset=utf-8"),
    "/page.js": ("page.js", "text/javascript; charset=utf-8"),
    "/page.css": ("page.css", "text/css; charset=utf-8"),
}
_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}


def routes() -> APIRouter:
    """The page's routes; the files are read once."""
    router = APIRouter(include_in_schema=False)
    for path, (name, media_type) in _FILES.items():
        _add(router, path, (_FOLDER / name).read_bytes(), media_type)
    return router


def _add(router: APIRouter, path: str, content: bytes, media_type: str) -> None:
    @router.get(path)
    async def page() -> Response:
        return Response(content, media_type=media_type, headers=_HEADERS)
