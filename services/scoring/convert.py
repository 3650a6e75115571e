"""Records to protobuf messages."""

from __future__ import annotations

from pandemonium.scoring.v1 import scoring_pb2 as pb

from services.scoring.aces_up.records import Kept, Statistics
from services.scoring.records import HandSheet, Leader, Match, totals_after


def match_message(match: Match) -> pb.Match:
    """A match, with its hands if it has them."""
    return pb.Match(
        id=match.id,
        table=match.table,
        options_json=match.options_json,
        hands=[_hand(hand, totals) for hand, totals in zip(match.hands, totals_after(match.hands), strict=True)],
        over=match.over,
        winners=match.winners,
        started_ms=match.started_ms,
    )


def leader_message(leader: Leader) -> pb.LeaderboardEntry:
    """A line of the leaderboard."""
    return pb.LeaderboardEntry(
        player=leader.player,
        name=leader.name,
        matches=leader.matches,
        won=leader.won,
        hands=leader.hands,
        points_per_hand=leader.points_per_hand,
    )


def game_message(kept: Kept) -> pb.AcesUpGame:
    """A game of Aces Up."""
    game = kept.game
    return pb.AcesUpGame(
        match=kept.match,
        hand=game.hand,
        table=kept.table,
        number=game.number,
        practice=game.practice,
        auto_remove=game.auto_remove,
        why=game.why,
        removed=game.removed,
        started_ms=game.started_ms,
        ended_ms=game.ended_ms,
        counts=kept.counts,
    )


def statistics_message(found: Statistics) -> pb.GetAcesUpStatisticsResponse:
    """A player's figures."""
    return pb.GetAcesUpStatisticsResponse(
        played=found.played,
        won=found.won,
        streak=found.streak,
        longest_streak=found.longest_streak,
        removed=found.removed,
        best=found.best,
    )


def _hand(hand: HandSheet, totals: dict[int, int]) -> pb.HandSheet:
    return pb.HandSheet(
        hand=hand.hand,
        why=hand.why,
        seats=[
            pb.SeatScore(
                seat=seat.seat,
                player=seat.player,
                name=seat.name,
                bot=seat.bot,
                foundation=seat.count.foundation,
                demon=seat.count.demon,
                called=seat.called,
                points=seat.count.points,
                total=totals[seat.seat],
            )
            for seat in hand.seats
        ],
        ended_ms=hand.ended_ms,
    )
