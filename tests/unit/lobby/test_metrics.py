from __future__ import annotations

from prometheus_client import REGISTRY, generate_latest

from services.lobby import metrics
from services.lobby.agenda import Step
from services.lobby.table import State


def test_every_series_is_there_before_anything_happens() -> None:
    text = generate_latest(REGISTRY).decode()
    for state in State:
        assert f'pandemonium_lobby_tables{{state="{state}"}}' in text
    for outcome in metrics.JOIN_OUTCOMES:
        assert f'pandemonium_lobby_joins_total{{outcome="{outcome}"}}' in text
    for step in Step:
        for outcome in metrics.STEP_OUTCOMES:
            assert f'pandemonium_lobby_steps_total{{outcome="{outcome}",step="{step}"}}' in text


def test_every_refusal_of_a_seat_has_a_label_of_the_fixed_set() -> None:
    reasons = ["TABLE_FULL", "TABLE_CLOSED", "MATCH_RUNNING", "ALREADY_SEATED", "BAD_INVITE", "UNKNOWN_TABLE", "ELSE"]
    labels = [metrics.join_outcome(reason) for reason in reasons]
    assert len(set(labels)) == len(reasons)
    assert set(labels) <= set(metrics.JOIN_OUTCOMES)
