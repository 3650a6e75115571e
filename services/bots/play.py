"""A claimed seat, played over the table's socket as any player would."""

from __future__ import annotations

import random

from services.bots.backend import Claim
from services.bots.guests import Guest
from services.bots.player import Character, Parting, Player
from services.bots.worker import Play
from services.client.errors import ClientError
from services.runtime.log import logger

_log = logger(__name__)


def play_over_socket(patience_s: float, luck: random.Random) -> Play:
    """Has each seat played by a bot with a luck of its own."""

    async def play(claim: Claim, guest: Guest) -> Parting:
        character = Character(claim.strength, claim.pace, patience_s)
        player_luck = random.Random(luck.getrandbits(64))
        try:
            async with guest.client.table(claim.lease.table) as table:
                return await Player(table, character, player_luck).play()
        except ClientError as error:
            _log.info("a bot could not take its seat", error=repr(error))
            return Parting.NOT_ATTACHED

    return play
