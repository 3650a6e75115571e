from __future__ import annotations

import socket

import pytest

from services.cli.ports import LOOPBACK, QUIET, Ports, PortTaken


def test_free_ports_are_all_different_and_can_be_listened_on() -> None:
    ports = Ports.free(gateways=2, engines=3)
    numbers = [*ports.gateways, *ports.engines, ports.lobby, ports.scoring, ports.redis, ports.ops]
    numbers += [port for _, port in ports.metrics]

    assert len(set(numbers)) == len(numbers) == 18
    assert set(numbers) <= set(QUIET), "none that a connection of anybody could be given before it is listened on"
    ports.check(redis=True)


def test_a_taken_port_is_named_with_the_process_that_needs_it() -> None:
    with socket.socket() as other:
        other.bind((LOOPBACK, 0))
        other.listen()
        taken = other.getsockname()[1]
        ports = Ports((taken,), (), 0, 0, 0, ())

        with pytest.raises(PortTaken, match=f"port {taken}, which gateway-1 needs, is taken"):
            ports.check(redis=True)


def test_the_port_of_redis_does_not_matter_when_redis_is_elsewhere() -> None:
    with socket.socket() as other:
        other.bind((LOOPBACK, 0))
        other.listen()
        ports = Ports((), (), 0, 0, other.getsockname()[1], ())

        ports.check(redis=False)
        with pytest.raises(PortTaken, match="redis"):
            ports.check(redis=True)


def test_the_documented_ports_collide_with_nothing_of_their_own() -> None:
    ports = Ports.fixed(gateways=2, engines=2)
    numbers = [*ports.gateways, *ports.engines, ports.lobby, ports.scoring, ports.redis]
    numbers += [port for _, port in ports.metrics]

    assert len(set(numbers)) == len(numbers)
    assert ports.metrics_of("engine-2") == 9002
