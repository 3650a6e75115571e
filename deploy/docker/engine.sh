#!/usr/bin/env bash
# engine.sh COMMAND...: runs the command where a Docker engine answers and the base images are there.
# That is the machine's own engine. Where there is none, one is started that ends with the command (as root, on Debian,
# whose packages are installed if need be), and base images that can't be pulled are made by stand-ins.sh. ENGINE_FOLDER
# keeps its images from one time to the next.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${ENGINE_FOLDER:-/var/tmp/pandemonium-engine}

if docker version >/dev/null 2>&1; then exec "$@"; fi

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "no Docker engine answers, and one can be started here only as root on Debian" >&2
    exit 1
fi
if ! command -v dockerd >/dev/null || ! command -v iptables >/dev/null || ! command -v docker-compose >/dev/null; then
    apt-get update -q >/dev/null
    apt-get install -qy --no-install-recommends docker.io docker-compose iptables >/dev/null
fi

mkdir -p "$folder"
exec 9>"$folder/lock"
flock -n 9 || { echo "another engine uses $folder" >&2; exit 1; }
run=$(mktemp -d)
export DOCKER_HOST=unix://$run/docker.sock
# No reaper of testcontainers': the engine itself ends with the command.
export TESTCONTAINERS_RYUK_DISABLED=true
setsid dockerd --data-root "$folder/data" --exec-root "$run/exec" --pidfile "$run/pid" --host "$DOCKER_HOST" \
    >"$folder/log" 2>&1 9>&- &
engine=$!

end() {
    docker ps -aq 2>/dev/null | xargs -r docker rm -fv >/dev/null 2>&1 || true
    kill "$engine" 2>/dev/null || true
    wait "$engine" || true
    rm -rf "$run"
}
trap end EXIT
trap 'exit 130' INT TERM

deadline=$((SECONDS + 60))
until docker version >/dev/null 2>&1; do
    if ! kill -0 "$engine" 2>/dev/null || [ "$SECONDS" -ge "$deadline" ]; then
        echo "the engine did not start:" >&2
        tail -n 20 "$folder/log" >&2
        exit 1
    fi
    sleep 0.2
done
if ! docker image inspect python:3.11-slim-bookworm >/dev/null 2>&1 &&
    ! docker pull -q python:3.11-slim-bookworm >/dev/null 2>&1; then
    "$here/stand-ins.sh"
fi
"$@"
