"""What the command line asks of scoring, by gRPC."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import grpc
from pandemonium.scoring.v1 import scoring_pb2, scoring_pb2_grpc

from services.runtime.tls import from_environment

_DEADLINE_S: Final = 10.0


def forget_player(address: str, player: str, going_on: Callable[[], None]) -> None:
    """Has a player's data deleted, in as many calls as it takes; ``going_on`` is called between them.

    Raises ``BadTls`` if the environment's certificates can't be, and :class:`grpc.RpcError`.
    """
    tls = from_environment()
    with grpc.secure_channel(address, tls.of_client()) if tls else grpc.insecure_channel(address) as channel:
        stub = scoring_pb2_grpc.ScoringServiceStub(channel)
        request = scoring_pb2.ForgetPlayerRequest(player=player)
        while not stub.ForgetPlayer(request, timeout=_DEADLINE_S, wait_for_ready=False).done:
            going_on()
