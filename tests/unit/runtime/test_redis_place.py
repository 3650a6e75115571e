from __future__ import annotations

import pytest

from services.runtime.redis_place import BadRedisUrl, Cluster, Login, Sentinels, Single, place
from services.runtime.settings import redact_url


@pytest.mark.parametrize("url", ["redis://127.0.0.1:6379/0", "rediss://cache/1", "unix:///run/redis.sock"])
def test_a_plain_url_is_one_server(url: str) -> None:
    assert place(url) == Single(url)


def test_sentinels_are_asked_for_a_primary_by_name_and_ports_have_defaults() -> None:
    url = "redis+sentinel://me:p%40ss@one:1,two,[::1]:3/main/2?sentinel_password=word&sentinel_username=asker"
    addresses = (("one", 1), ("two", 26379), ("::1", 3))
    assert place(url) == Sentinels(addresses, "main", 2, False, Login("me", "p@ss"), Login("asker", "word"))
    assert place("redis+sentinel://one/main") == Sentinels((("one", 26379),), "main", 0, False, Login(), Login())


def test_a_cluster_is_found_by_any_of_its_nodes() -> None:
    assert place("rediss+cluster://:word@one,two:7/") == Cluster((("one", 6379), ("two", 7)), True, Login(None, "word"))


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://one", "begins with"),
        ("redis://", "no address"),
        ("redis+sentinel://one", "primary's name"),
        ("redis+sentinel://one/main/x", "number of a database"),
        ("redis+sentinel:///main", "addresses is empty"),
        ("redis+cluster://one,,two", "addresses is empty"),
        ("redis+cluster://one:x", "port"),
        ("redis+cluster://one:70000", "port"),
        ("redis+cluster://one/1", "database"),
        ("redis+cluster://one?sentinel_password=word", "question mark"),
        ("redis+other://one", "begins with"),
    ],
)
def test_what_names_no_redis_is_refused_with_the_reason(url: str, why: str) -> None:
    with pytest.raises(BadRedisUrl, match=why):
        place(url)


def test_no_password_is_shown() -> None:
    shown = redact_url("redis+sentinel://me:one@a:1,b:2/main/0?sentinel_password=two&sentinel_username=asker")
    assert shown == "redis+sentinel://me:***@a:1,b:2/main/0?sentinel_password=***&sentinel_username=asker"
    assert "two" not in repr(place("redis+sentinel://me:one@a:1/main/0?sentinel_password=two"))
