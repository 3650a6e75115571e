"""The console's metrics. Labels come from small closed sets, and every series is there from the start."""

from __future__ import annotations

from typing import Final, Literal, get_args

from prometheus_client import Counter

from services.runtime.errors import DeadlineExceeded, Fault, Internal, Unavailable

Kind = Literal["announce", "withdraw", "pause", "resume", "close", "freeze", "thaw", "remove", "drain"]
"""What operators do."""
LOGIN_RESULTS: Final = ("done", "wrong_login", "too_many_logins", "console_off", "fault")
ACTION_RESULTS: Final = ("done", "viewers_only_look", "refused", "fault")
REFUSALS: Final = frozenset(["console_off", "not_logged_in", "bad_origin", "bad_csrf", "viewers_only_look"])

LOGINS: Final = Counter("pandemonium_ops_logins", "Logins at the console, by result.", ("result",))
SESSIONS: Final = Counter(
    "pandemonium_ops_sessions", "Sessions of operators that began, and those that a logout ended.", ("kind",)
)
ACTIONS: Final = Counter(
    "pandemonium_ops_actions",
    "Actions of operators, by kind and result; fault: what had to do it did not answer.",
    ("kind", "result"),
)
REFUSED: Final = Counter(
    "pandemonium_ops_refused", "Requests that the console's door turned away, by reason.", ("reason",)
)
AUDIT_FAILURES: Final = Counter(
    "pandemonium_ops_audit_failures", "Entries that could not be written to the record of what operators do."
)

for _result in LOGIN_RESULTS:
    LOGINS.labels(_result)
for _kind in ("begun", "ended"):
    SESSIONS.labels(_kind)
for _action in get_args(Kind):
    for _result in ACTION_RESULTS:
        ACTIONS.labels(_action, _result)
for _reason in REFUSALS:
    REFUSED.labels(_reason)


def login_result(error: Exception) -> str:
    """The label of a login that failed."""
    reason = error.reason.lower() if isinstance(error, Fault) else ""
    return reason if reason in LOGIN_RESULTS else "fault"


def action_result(error: Exception) -> str:
    """The label of an action that failed after it had begun."""
    failed = not isinstance(error, Fault) or isinstance(error, Unavailable | DeadlineExceeded | Internal)
    return "fault" if failed else "refused"
