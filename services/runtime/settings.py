"""What every service is told by its environment: read once in ``__main__``, frozen, passed down, logged redacted.

What must not be seen in an environment, such as a URL with a password, may instead be in a file that is named like the
variable, in the folder that ``SECRETS_DIR`` names. A variable that is set goes before the file.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self
from urllib.parse import urlsplit, urlunsplit

from pydantic import AfterValidator, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from services.runtime.redis_place import place
from services.runtime.tls import Tls

_PASSWORD_ASKED = re.compile(r"(password=)[^&]*")


class SettingsError(SystemExit):
    """A variable of the environment is missing or bad; the message names each one and says why.

    Left alone it ends the process with that one sentence and no traceback.
    """


def _redis_url(url: str) -> str:
    place(url)
    return url


class ServiceSettings(BaseSettings):
    """The settings that all services share.

    A subclass adds its own and sets ``env_prefix``::

        class EngineSettings(ServiceSettings):
            model_config = SettingsConfigDict(env_prefix="ENGINE_")
            service: ClassVar[str] = "engine"
            port: int = Field(7001, ge=0, le=65535)

    ``REDIS_URL`` and what is about logs and traces have no prefix: they are the same for all.
    """

    model_config = SettingsConfigDict(
        frozen=True, extra="ignore", populate_by_name=True, env_ignore_empty=True, hide_input_in_errors=True
    )

    service: ClassVar[str] = "service"
    """The service's noun, as in the folder, the logs and the error domain ``<service>.pandemonium``."""

    reports: ClassVar[bool] = False
    """Whether its processes tell the console of themselves and take its orders (``orders.py``)."""

    redis_url: Annotated[str, AfterValidator(_redis_url)] = Field(
        "redis://127.0.0.1:6379/0", validation_alias="REDIS_URL"
    )
    """One Redis, the primary that sentinels know, or a cluster: see ``services.runtime.redis_place``."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field("INFO", validation_alias="LOG_LEVEL")
    log_format: Literal["auto", "json", "text"] = Field("auto", validation_alias="LOG_FORMAT")
    """Of a line: JSON, or text for people; auto: text on a terminal."""
    trace_share: float = Field(0.0, ge=0, le=1, validation_alias="TRACE_SHARE")
    """Share of commands and requests that are traced; 0: none."""
    trace_endpoint: str = Field(
        "http://127.0.0.1:4317", validation_alias="OTEL_EXPORTER_OTLP_ENDPOINT", pattern=r"^https?://"
    )
    """Where traces go: an OTLP collector, by gRPC."""
    grpc_tls_cert: str = Field("", validation_alias="GRPC_TLS_CERT")
    """File with this service's certificate, PEM, for calls among services; all three of them, or none."""
    grpc_tls_key: str = Field("", validation_alias="GRPC_TLS_KEY")
    """File with the certificate's private key."""
    grpc_tls_ca: str = Field("", validation_alias="GRPC_TLS_CA")
    """File with the certificates of the authority that signs every service's."""
    host: str = "127.0.0.1"
    """Address to listen on."""
    port: int = Field(0, ge=0, le=65535)
    """Port to serve on; 0 takes a free one."""
    metrics_port: int = Field(0, ge=0, le=65535)
    """Private port of ``/metrics``; 0 takes a free one."""
    metrics_host: str = "127.0.0.1"
    """Address to listen on for ``/metrics``."""
    stop_seconds: float = Field(10.0, gt=0, le=300)
    """How long a stop may take before what is left is cut off."""

    @model_validator(mode="after")
    def _tls_can_be_used(self) -> Self:
        _ = self.tls
        return self

    @property
    def tls(self) -> Tls | None:
        """The certificates for calls among services, as they are now in their files; None: calls are not encrypted."""
        return Tls.read(self.grpc_tls_cert, self.grpc_tls_key, self.grpc_tls_ca)

    @classmethod
    def read(cls) -> Self:
        """The settings of this process's environment. Raises :class:`SettingsError` naming the bad variables."""
        secrets = os.environ.get("SECRETS_DIR") or None
        if secrets is not None and not Path(secrets).is_dir():
            raise SettingsError("SECRETS_DIR: there is no such folder")
        try:
            return cls(_secrets_dir=secrets)
        except ValidationError as error:
            problems = (f"{cls._variable(item['loc'])}: {item['msg']}" for item in error.errors(include_input=False))
            raise SettingsError("; ".join(problems)) from None

    def describe(self) -> dict[str, Any]:
        """All settings, fit for a log: secrets and passwords inside URLs are masked."""
        return {name: _redact(name, getattr(self, name)) for name in type(self).model_fields}

    @classmethod
    def _variable(cls, location: tuple[int | str, ...]) -> str:
        """The environment variable behind a validation error's location (a field's name, or its alias)."""
        first = str(location[0]) if location else cls.__name__
        field = cls.model_fields.get(first)
        if field is None:
            return first
        if isinstance(field.validation_alias, str):
            return field.validation_alias
        return f"{cls.model_config.get('env_prefix', '')}{first}".upper()


def redact_url(url: str) -> str:
    """The URL without passwords: its user's, and those after the question mark."""
    parts = urlsplit(url)
    query = _PASSWORD_ASKED.sub(r"\1***", parts.query)
    if parts.password is None:
        return urlunsplit(parts._replace(query=query)) if query != parts.query else url
    user_info, _, address = parts.netloc.rpartition("@")
    return urlunsplit(parts._replace(netloc=f"{user_info.partition(':')[0]}:***@{address}", query=query))


def _redact(name: str, value: Any) -> Any:
    if isinstance(value, SecretStr) or any(word in name for word in ("secret", "password", "token")):
        return "***"
    if isinstance(value, str) and "://" in value:
        return redact_url(value)
    return value
