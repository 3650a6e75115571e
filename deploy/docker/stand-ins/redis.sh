#!/bin/sh
# Starts Redis as the well-known image does: never as root, and open to its network, which is what keeps others away.
set -eu
if [ "$(id -u)" = 0 ]; then
    chown redis:redis /data
    exec setpriv --reuid=redis --regid=redis --clear-groups "$0" "$@"
fi
if [ "$1" = redis-server ]; then set -- "$@" --protected-mode no; fi
exec "$@"
