"""``python -m services.runtime.healthcheck ADDRESS``: whether a service is ready to work, told by the exit code.

For containers, whose engine can run a command and nothing else. ``ADDRESS`` is ``grpc://host:port`` (the health service
there says SERVING) or ``http://host:port/path`` (the page there answers 200). Exit code 0: ready; 1: not, or no answer
within :data:`PATIENCE_SECONDS`; 2: no such address. Where services are called by TLS, the certificate that it shows is
the service's own, which has to name the host that is asked.
"""

from __future__ import annotations

import http.client
import sys
from collections.abc import Sequence
from typing import Final
from urllib.parse import SplitResult, urlsplit

PATIENCE_SECONDS: Final = 2.0


def main(arguments: Sequence[str]) -> int:
    """Asks once; the exit code."""
    if len(arguments) == 1:
        address = urlsplit(arguments[0])
        ask = {"grpc": _grpc_serves, "http": _http_answers}.get(address.scheme)
        if ask is not None and address.hostname is not None and address.port is not None:
            return 0 if ask(address) else 1
    print("usage: healthcheck grpc://host:port | http://host:port/path", file=sys.stderr)
    return 2


def _grpc_serves(address: SplitResult) -> bool:
    # Imported only here: it takes longer than all the rest, and is asked for every few seconds.
    import grpc
    from grpc_health.v1 import health_pb2

    from services.runtime.tls import from_environment

    tls = from_environment()
    with (
        grpc.secure_channel(address.netloc, tls.of_client()) if tls else grpc.insecure_channel(address.netloc)
    ) as channel:
        check = channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
            response_deserializer=health_pb2.HealthCheckResponse.FromString,
        )
        try:
            answer = check(health_pb2.HealthCheckRequest(), timeout=PATIENCE_SECONDS)
        except grpc.RpcError:
            return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def _http_answers(address: SplitResult) -> bool:
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=PATIENCE_SECONDS)
    try:
        connection.request("GET", address.path or "/")
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
