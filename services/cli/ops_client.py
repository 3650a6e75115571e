"""The console's REST from the command line: logs in, asks, logs out. Knows no more of the platform than that."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import Any, Final, Self

import httpx2

PREFIX: Final = "/api/ops/v1"
_TIMEOUT_S: Final = 15.0


class OpsProblem(Exception):
    """The console said no, or could not be reached; the message says why."""


class OpsClient:
    """A session at a console, as long as it is entered."""

    def __init__(self, url: str, name: str, password: str) -> None:
        self._http = httpx2.Client(base_url=url.rstrip("/") + PREFIX, timeout=_TIMEOUT_S, trust_env=False)
        self._login = {"name": name, "password": password, "token": True}

    def __enter__(self) -> Self:
        try:
            me = self.post("/login", self._login)
        except OpsProblem:
            self._http.close()
            raise
        self._http.headers["Authorization"] = f"Bearer {me['token']}"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.post("/logout")
        except OpsProblem:
            pass  # the session ends by itself
        finally:
            self._http.close()

    def get(self, path: str, **query: Any) -> Any:
        """What there is at a path."""
        return self._ask("GET", path, params={name: value for name, value in query.items() if value is not None})

    def post(self, path: str, body: Any = None) -> Any:
        """Has something done."""
        return self._ask("POST", path, json=body if body is not None else {})

    def delete(self, path: str) -> Any:
        """Has something taken back."""
        return self._ask("DELETE", path)

    def events(self, path: str, after: int) -> Iterator[str]:
        """The data of a stream of events, until it ends."""
        try:
            with self._http.stream("GET", path, params={"after": after}, timeout=None) as answer:
                if not answer.is_success:
                    answer.read()
                    self._refuse(answer)
                for line in answer.iter_lines():
                    if line.startswith("data: "):
                        yield line.removeprefix("data: ")
        except httpx2.HTTPError as error:
            raise OpsProblem(f"the console can't be reached: {error}") from None

    def _ask(self, method: str, path: str, **more: Any) -> Any:
        try:
            answer = self._http.request(method, path, **more)
        except httpx2.HTTPError as error:
            raise OpsProblem(f"the console can't be reached: {error}") from None
        if not answer.is_success:
            self._refuse(answer)
        return answer.json()

    @staticmethod
    def _refuse(answer: httpx2.Response) -> None:
        try:
            problem = answer.json()
        except ValueError:
            problem = {}
        said = problem.get("detail") or problem.get("title") or f"status {answer.status_code}"
        raise OpsProblem(f"{problem.get('code', 'no console there')}: {said}")
