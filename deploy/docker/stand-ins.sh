#!/usr/bin/env bash
# Makes the base images of the stack from Debian's packages, under the tags that the stack names, where no registry of
# images can be reached: for tests on such machines, as root, on Debian. What is there already is left alone.
# Grafana is not among Debian's packages: a stack of stand-ins is without it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
DOCKER=${DOCKER:-docker}

there() { "$DOCKER" image inspect "$1" >/dev/null 2>&1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp stand-ins/* "$work"
cp "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}" "$work/ca-certificates.crt"

if ! there debian:bookworm-slim; then
    command -v mmdebstrap >/dev/null || apt-get install -qy --no-install-recommends mmdebstrap >/dev/null
    mmdebstrap -q --variant=apt --include=ca-certificates bookworm "$work/base.tar"
    "$DOCKER" import -c 'CMD ["bash"]' "$work/base.tar" debian:bookworm-slim >/dev/null
    rm "$work/base.tar"
fi

while read -r stage tag; do
    if there "$tag"; then continue; fi
    echo "a stand-in for $tag, of Debian's packages"
    "$DOCKER" build -q --target "$stage" -t "$tag" "$work" >/dev/null
done <<'IMAGES'
python python:3.11-slim-bookworm
redis redis:7-bookworm
redis redis:7
postgres postgres:16-bookworm
postgres postgres:16
haproxy haproxy:2.8-bookworm
prometheus prom/prometheus:v2.53.3
IMAGES
