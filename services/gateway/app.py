"""The FastAPI application: every route, and errors as problems."""

from __future__ import annotations

from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from services.gateway import (
    page,
    problems,
    requests,
    rest_aces_up,
    rest_codes,
    rest_guests,
    rest_hints,
    rest_matches,
    rest_notice,
    rest_options,
    rest_tables,
    socket_route,
    toll,
)
from services.gateway.edge import Edge
from services.gateway.models import Problem
from services.runtime.health_routes import health_routes

PREFIX: Final = "/api/v1"
_DESCRIPTION: Final = """Tables of Racing Demon, games of Aces Up: everything slow. Everything fast is on the table
socket, `GET /api/v1/tables/{table}/socket`. Errors are `application/problem+json`; `code` is stable."""


def create_app(edge: Edge) -> FastAPI:
    """The application of one process."""
    app = FastAPI(
        title="Pandemonium",
        version="1",
        description=_DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        # A redirect would send whoever asks to whatever host it named.
        redirect_slashes=False,
    )
    app.state.edge = edge
    problems.install(app)
    routers = [
        routes(edge)
        for routes in (
            rest_guests.routes,
            rest_options.routes,
            rest_notice.routes,
            rest_tables.routes,
            rest_codes.routes,
            rest_hints.routes,
            rest_aces_up.routes,
            rest_matches.routes,
            socket_route.routes,
        )
    ]
    for router in routers:
        app.include_router(router, prefix=PREFIX)
    app.include_router(health_routes(edge.scope))
    app.include_router(page.routes())
    toll.install(app, PREFIX, edge.limits)
    requests.install(app, PREFIX, [route for router in routers for route in router.routes])
    app.openapi = lambda: _openapi(app)  # type: ignore[method-assign]
    return app


def _openapi(app: FastAPI) -> dict[str, Any]:
    """FastAPI's description, with the problem's schema, and without the errors that never occur here."""
    if app.openapi_schema is None:
        schema = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        schemas = schema.setdefault("components", {}).setdefault("schemas", {})
        schemas["Problem"] = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
        for unused in ("HTTPValidationError", "ValidationError"):
            schemas.pop(unused, None)
        app.openapi_schema = schema
    return app.openapi_schema
