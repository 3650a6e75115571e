"""The page: what its build made (``web/dist``), served from memory under a policy that loads nothing from elsewhere.

Every path that could be a view of the page, such as ``/table/<id>``, gets the one document; the page itself knows which
views there are. Files under ``/assets/`` carry a hash of their content in their name, so browsers keep them for good.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request
from starlette.convertors import Convertor, register_url_convertor
from starlette.responses import PlainTextResponse, Response

DIST: Final = Path(__file__).parent / "web" / "dist"
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; worker-src 'self'; media-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_ALWAYS_ASK: Final = "no-cache"
_FOR_GOOD: Final = "public, max-age=31536000, immutable"
_ENCODINGS: Final = {"br": ".br", "gzip": ".gz"}
"""Content codings, the best first, and how the build names the files that hold them."""
_MEDIA_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".mp3": "audio/mpeg",
    ".wav": "audio/wav",
}


@dataclass(frozen=True, slots=True)
class File:
    """A file of the page. ``contents`` are its bytes by content coding; ``identity`` is always there."""

    media_type: str
    contents: Mapping[str, bytes]
    etag: str
    keep: str


class _ViewPath(Convertor[str]):
    """A path that is none of the API's and names no file."""

    regex = r"(?!api/|assets/)[^.]*"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("view", _ViewPath())


def read(dist: Path = DIST) -> dict[str, File]:
    """Every file that was built, by its path from the root; nothing if there was no build."""
    suffixes = tuple(_ENCODINGS.values())
    return {
        f"/{path.relative_to(dist).as_posix()}": _file(path, keep=_FOR_GOOD if path.parent != dist else _ALWAYS_ASK)
        for path in sorted(dist.rglob("*"))
        if path.is_file() and path.suffix not in suffixes and path.parent.name != ".vite"
    }


def routes(files: Mapping[str, File] | None = None) -> APIRouter:
    """The page's routes, to be added last. ``files`` are those of the build."""
    files = read() if files is None else files
    router = APIRouter(include_in_schema=False)
    for path, file in files.items():
        if path != "/index.html":
            _add(router, path, file)
    _add(router, "/{view:view}", files.get("/index.html"))
    return router


def _file(path: Path, *, keep: str) -> File:
    contents = {"identity": path.read_bytes()}
    for coding, suffix in _ENCODINGS.items():
        smaller = path.with_name(path.name + suffix)
        if smaller.exists():
            contents[coding] = smaller.read_bytes()
    etag = hashlib.sha256(contents["identity"]).hexdigest()[:16]
    return File(_MEDIA_TYPES.get(path.suffix, "application/octet-stream"), contents, etag, keep)


def _add(router: APIRouter, path: str, file: File | None) -> None:
    @router.api_route(path, methods=["GET", "HEAD"])
    async def page(request: Request) -> Response:
        return _NOT_BUILT if file is None else _answer(request, file)


_NOT_BUILT: Final = PlainTextResponse("The page has not been built; `make install` does.\n", status_code=503)


def _answer(request: Request, file: File) -> Response:
    coding = _coding(request.headers.get("accept-encoding", ""), file)
    etag = f'"{file.etag}-{coding}"'
    headers = _HEADERS | {"Cache-Control": file.keep, "ETag": etag, "Vary": "Accept-Encoding"}
    if etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if coding != "identity":
        headers["Content-Encoding"] = coding
    return Response(file.contents[coding], media_type=file.media_type, headers=headers)


def _coding(accepted: str, file: File) -> str:
    """The best content coding that the browser takes and the build made."""
    offers = [offer.strip().split(";") for offer in accepted.lower().split(",")]
    takes = {name.strip() for name, *quality in offers if "q=0" not in (each.strip() for each in quality)}
    return next((coding for coding in _ENCODINGS if coding in takes and coding in file.contents), "identity")
