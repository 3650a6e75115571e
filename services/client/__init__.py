"""The SDK: a player, a watcher or a load test in Python. Imports only the rules; see docs/sdk.md."""

from services.client.client import Client
from services.client.session import TableSession

__all__ = ["Client", "TableSession"]
