"""An authority of the tests' own, and files with certificates that it signs."""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import NamedTuple

import trustme


class Papers(NamedTuple):
    """Files: a certificate, its key, and the authority that signed it."""

    cert: str
    key: str
    ca: str


class Authority:
    """Signs certificates for the loopback address, and keeps all of it in a folder."""

    def __init__(self, folder: Path, name: str = "ours") -> None:
        self._folder = folder
        self._name = name
        self._ca = trustme.CA()
        self._ca.cert_pem.write_to_path(folder / f"{name}-ca.pem")

    def papers(self, *names: str) -> Papers:
        """A certificate for these names, 127.0.0.1 without any."""
        issued = self._ca.issue_cert(*(names or ("127.0.0.1",)))
        word = (names or ("loopback",))[0]
        cert, key = self._folder / f"{self._name}-{word}.pem", self._folder / f"{self._name}-{word}.key"
        cert.write_bytes(b"".join(blob.bytes() for blob in issued.cert_chain_pems))
        issued.private_key_pem.write_to_path(key)
        key.chmod(0o600)
        return Papers(str(cert), str(key), str(self._folder / f"{self._name}-ca.pem"))


def demanding(papers: Papers) -> ssl.SSLContext:
    """A server's side that asks its clients for a certificate of the same authority."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=papers.ca)
    context.load_cert_chain(papers.cert, papers.key)
    context.verify_mode = ssl.CERT_REQUIRED
    return context
