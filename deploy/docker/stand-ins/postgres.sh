#!/bin/bash
# Starts PostgreSQL as the well-known image does, as far as the stack asks: a user, a password (or a file with it) and a
# database by POSTGRES_*, made at the first start in PGDATA.
set -euo pipefail
if [ "$(id -u)" = 0 ]; then
    chown postgres:postgres "$PGDATA"
    exec setpriv --reuid=postgres --regid=postgres --clear-groups "$0" "$@"
fi
if [ "${1#-}" != "$1" ]; then set -- postgres "$@"; fi
if [ "$1" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
    user=${POSTGRES_USER:-postgres} password=${POSTGRES_PASSWORD:-}
    if [ -n "${POSTGRES_PASSWORD_FILE:-}" ]; then password=$(<"$POSTGRES_PASSWORD_FILE"); fi
    if [ -z "$password" ]; then echo "POSTGRES_PASSWORD or POSTGRES_PASSWORD_FILE is missing" >&2; exit 1; fi
    initdb -D "$PGDATA" -U "$user" -E UTF8 --locale=C.UTF-8 --auth-local=trust --auth-host=scram-sha-256 \
        --pwfile=<(printf '%s\n' "$password")
    printf 'host all all all scram-sha-256\n' >>"$PGDATA/pg_hba.conf"
    if [ "${POSTGRES_DB:-$user}" != postgres ]; then
        # Nobody but this script can reach it before the database is there.
        pg_ctl -D "$PGDATA" -w -o "-c listen_addresses=''" start
        createdb -U "$user" "${POSTGRES_DB:-$user}"
        pg_ctl -D "$PGDATA" -w -m fast stop
    fi
    printf "listen_addresses = '*'\n" >>"$PGDATA/postgresql.conf"
    echo "PostgreSQL init process complete; ready for start up."
fi
exec "$@"
