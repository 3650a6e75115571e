"""The certificates with which services know each other, if the operators want them to: TLS both ways or not at all.

Every service has a certificate of one authority and shows it whether it is called or calls; whoever shows none is not
talked to. Names in certificates are those of the addresses that callers are given (``GATEWAY_LOBBY`` and so on).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

import grpc

CERT: Final = "GRPC_TLS_CERT"
KEY: Final = "GRPC_TLS_KEY"
AUTHORITY: Final = "GRPC_TLS_CA"


class BadTls(ValueError):
    """The files can't be used; the message says why, and nothing of what is in them."""


@dataclass(frozen=True, slots=True)
class Tls:
    """A certificate, its private key, and the authority of everybody's, all PEM."""

    certificate: bytes = field(repr=False)
    key: bytes = field(repr=False)
    authority: bytes = field(repr=False)

    @classmethod
    def read(cls, certificate: str, key: str, authority: str) -> Self | None:
        """What is in these files; None if no file is named. Raises :class:`BadTls`."""
        names = (certificate, key, authority)
        if not any(names):
            return None
        if not all(names):
            raise BadTls(f"{CERT}, {KEY} and {AUTHORITY} are only of use together")
        try:
            return cls(*(Path(name).read_bytes() for name in names))
        except OSError as error:
            raise BadTls(f"{error.filename} can't be read: {error.strerror}") from None

    def of_server(self) -> grpc.ServerCredentials:
        """For who is called: callers must show a certificate of the authority."""
        return grpc.ssl_server_credentials(
            [(self.key, self.certificate)], root_certificates=self.authority, require_client_auth=True
        )

    def of_client(self) -> grpc.ChannelCredentials:
        """For who calls."""
        return grpc.ssl_channel_credentials(self.authority, self.key, self.certificate)


def from_environment(environ: Mapping[str, str] = os.environ) -> Tls | None:
    """Those of this process's environment, for what has no settings: probes. Raises :class:`BadTls`."""
    return Tls.read(environ.get(CERT, ""), environ.get(KEY, ""), environ.get(AUTHORITY, ""))
