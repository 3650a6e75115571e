#!/usr/bin/env bash
# engine.sh COMMAND...: runs the command where a Docker engine answers and the base images are there.
# That is the machine's own engine. Where there is none, one is started that ends with the command (as root, on Debian,
# whose packages are installed if need be), and base images that can't be pulled are made by stand-ins.sh. ENGINE_FOLDER
# keeps its images from one time to the next.
# Exit code 69: no engine can run here; the last line says why. Any other is the command's, or that of what failed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${ENGINE_FOLDER:-/var/tmp/pandemonium-engine}
base=python:3.11-slim-bookworm

if docker version >/dev/null 2>&1; then exec "$@"; fi

impossible() {
    echo "no Docker engine answers, and none can be started here: $*" >&2
    exit 69
}

if [ "$(id -u)" != 0 ]; then impossible "that needs root"; fi
if ! command -v apt-get >/dev/null; then impossible "this is not Debian"; fi
if ! command -v dockerd >/dev/null || ! command -v iptables >/dev/null || ! command -v docker-compose >/dev/null; then
    apt-get update -q >/dev/null || true
    DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends -o DPkg::Lock::Timeout=300 \
        -o Acquire::Retries=5 docker.io docker-compose iptables >/dev/null || impossible "docker.io can't be installed"
fi

mkdir -p "$folder"
# One at a time on a machine: two would share a bridge, and the second would undo the first one's rules for it.
exec 9>/var/tmp/pandemonium-engine.lock
until flock -n 9; do
    if [ "$SECONDS" -ge 1800 ]; then echo "another engine of this kind has been running for half an hour" >&2; exit 1; fi
    sleep 1
done
run=$(mktemp -d)
export DOCKER_HOST=unix://$run/docker.sock
# No reaper of testcontainers': the engine itself ends with the command.
export TESTCONTAINERS_RYUK_DISABLED=true
engine='' command=''

end() {
    trap '' INT TERM
    if [ -n "$command" ]; then kill -- "-$command" 2>/dev/null || true; fi
    if [ -n "$engine" ]; then
        remove_rest
        # What builds left behind and no build of today used.
        docker image prune -f --filter until=24h >/dev/null 2>&1 || true
        kill "$engine" 2>/dev/null || true
        wait "$engine" || true
    fi
    rm -rf "$run"
}
trap end EXIT
trap 'exit 130' INT TERM

# Runs a command that ends, with all that it started, when this script is told to.
told() {
    local code=0
    setsid "$@" <&0 9>&- &
    command=$!
    wait "$command" || code=$?
    command=''
    return "$code"
}

# What a command leaves behind that was killed.
remove_rest() {
    docker ps -aq 2>/dev/null | xargs -r docker rm -fv >/dev/null 2>&1 || true
    docker network prune -f >/dev/null 2>&1 || true
    docker volume ls -q --filter name=pandemonium-test 2>/dev/null | xargs -r docker volume rm >/dev/null 2>&1 || true
}

# Ends with this script, however that ends.
start() {
    setsid setpriv --pdeathsig TERM dockerd --data-root "$folder/data" --exec-root "$run/exec" --pidfile "$run/pid" \
        --host "$DOCKER_HOST" >"$folder/log" 2>&1 9>&- &
    engine=$!
    local deadline=$((SECONDS + 120))
    until docker version >/dev/null 2>&1; do
        if ! kill -0 "$engine" 2>/dev/null; then return 1; fi
        if [ "$SECONDS" -ge "$deadline" ]; then
            kill "$engine" 2>/dev/null || true
            wait "$engine" || true
            return 1
        fi
        sleep 0.2
    done
}

if ! start; then
    # Whoever was killed while writing may have left something that can't be read.
    rm -rf --one-file-system "$folder/data" || true
    start || { tail -n 20 "$folder/log" >&2; impossible "dockerd does not run: $(tail -n 1 "$folder/log")"; }
fi
remove_rest
# Whether this kernel lets a container run, found out with a program that needs nothing else: Debian's is static.
said=$(tar -C /sbin -c ldconfig | docker import - pandemonium-probe 2>&1 && docker run --rm pandemonium-probe /ldconfig --version 2>&1) ||
    impossible "no container runs: ${said##*$'\n'}"

# The label is a stand-in's only.
if stand_in=$(docker image inspect -f '{{index .Config.Labels "stand-in"}}' "$base" 2>/dev/null) && [ -z "$stand_in" ] ||
    timeout 300 docker pull -q "$base" >/dev/null 2>&1; then :; else told "$here/stand-ins.sh"; fi
told "$@"
