"""Services that are given certificates talk to nobody who shows none of their authority."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
import pytest_asyncio

from services.runtime.channels import channel
from services.runtime.errors import Unavailable, fault_from
from services.runtime.healthcheck import main
from services.runtime.serve import serving
from services.runtime.settings import ServiceSettings, SettingsError
from services.runtime.tls import BadTls, Tls
from tests.certificates import Authority, Papers
from tests.unit.runtime.echo_server import call
from tests.unit.runtime.echo_service import EchoSettings, build
from tests.unit.runtime.test_healthcheck import until_exit_code


@pytest.fixture
def papers(tmp_path: Path) -> Papers:
    return Authority(tmp_path).papers()


@pytest_asyncio.fixture
async def address(papers: Papers) -> AsyncIterator[str]:
    settings = EchoSettings(
        port=0, metrics_port=0, grpc_tls_cert=papers.cert, grpc_tls_key=papers.key, grpc_tls_ca=papers.ca
    )
    async with serving(settings, build) as served:
        yield f"127.0.0.1:{served.port}"


async def heard(address: str, tls: Tls | None) -> bytes:
    async with channel(address, tls=tls) as opened:
        return await call(opened, "Unary", b"hello")


def tls_of(papers: Papers) -> Tls:
    found = Tls.read(papers.cert, papers.key, papers.ca)
    assert found is not None
    return found


async def test_services_of_one_authority_hear_each_other(address: str, papers: Papers) -> None:
    assert await heard(address, tls_of(papers)) == b"hello"


async def test_who_shows_no_certificate_or_a_strangers_is_not_heard(
    address: str, papers: Papers, tmp_path: Path
) -> None:
    stranger = Authority(tmp_path, "stranger").papers()
    posing = Papers(stranger.cert, stranger.key, papers.ca)
    for tls in (None, tls_of(stranger), tls_of(posing)):
        with pytest.raises(grpc.RpcError) as caught:
            await heard(address, tls)
        assert isinstance(fault_from(caught.value), Unavailable)


async def test_a_service_whose_certificate_has_another_name_is_not_called(tmp_path: Path) -> None:
    elsewhere = Authority(tmp_path).papers("elsewhere.test")
    settings = EchoSettings(
        port=0, metrics_port=0, grpc_tls_cert=elsewhere.cert, grpc_tls_key=elsewhere.key, grpc_tls_ca=elsewhere.ca
    )
    async with serving(settings, build) as served:
        with pytest.raises(grpc.RpcError) as caught:
            await heard(f"127.0.0.1:{served.port}", tls_of(elsewhere))
    assert isinstance(fault_from(caught.value), Unavailable)


async def test_a_probe_shows_the_services_own_certificate(
    address: str, papers: Papers, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main([f"grpc://{address}"]) == 1
    for name, value in (("CERT", papers.cert), ("KEY", papers.key), ("CA", papers.ca)):
        monkeypatch.setenv(f"GRPC_TLS_{name}", value)
    await until_exit_code(0, f"grpc://{address}")


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_certificates_are_of_use_only_together(papers: Papers, missing: int) -> None:
    names = ["" if index == missing else name for index, name in enumerate(papers)]
    with pytest.raises(BadTls, match="together"):
        Tls.read(*names)


def test_a_file_that_is_not_there_is_named_at_the_start(papers: Papers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRPC_TLS_CERT", papers.cert)
    monkeypatch.setenv("GRPC_TLS_KEY", "/nowhere/key.pem")
    monkeypatch.setenv("GRPC_TLS_CA", papers.ca)
    with pytest.raises(SettingsError, match=r"/nowhere/key\.pem"):
        ServiceSettings.read()


def test_nothing_of_a_key_is_shown(papers: Papers) -> None:
    assert "PRIVATE" not in repr(tls_of(papers))
