#!/usr/bin/env bash
# Makes the base images of the stack from Debian's packages, under the tags that the stack names, where no registry of
# images can be reached: for tests on such machines, as root, on Debian. Real images that are there are left alone.
# Grafana is not among Debian's packages: a stack of stand-ins is without it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
DOCKER=${DOCKER:-docker}
made_of=$(cat stand-ins.sh stand-ins/* | sha256sum | cut -c1-16)

# Whether it isn't there, or is a stand-in of another day.
needed() {
    local of
    of=$("$DOCKER" image inspect -f '{{index .Config.Labels "stand-in"}}' "$1" 2>/dev/null) || return 0
    [ -n "$of" ] && [ "$of" != "$made_of" ]
}

# Python's is the base of all others: one system is made, and one set of packages is added to it. With the machine's own
# trust in certificates, for what is downloaded through something that looks into TLS.
python() {
    command -v mmdebstrap >/dev/null || DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends \
        -o DPkg::Lock::Timeout=300 -o Acquire::Retries=5 mmdebstrap >/dev/null
    export TRUST=${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}
    mmdebstrap -q --variant=apt --include=ca-certificates,python3,python3-venv --skip=cleanup/apt/lists \
        --aptopt='Acquire::Retries "5"' --dpkgopt=force-unsafe-io \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
        --dpkgopt='path-exclude=/usr/share/locale/*' \
        --customize-hook='cp "$TRUST" "$1/etc/ssl/certs/ca-certificates.crt"' \
        --customize-hook='ln -s /usr/bin/python3 "$1/usr/local/bin/python"; ln -s /usr/bin/python3 "$1/usr/local/bin/python3"' \
        bookworm - | "$DOCKER" import -c 'CMD ["python3"]' -c "LABEL stand-in=$made_of" - "$1" >/dev/null
}

while read -r stage tag; do
    if ! needed "$tag"; then continue; fi
    echo "a stand-in for $tag, of Debian's packages"
    if [ "$stage" = python ]; then
        python "$tag" || python "$tag"
    else
        said=$("$DOCKER" build --label "stand-in=$made_of" --target "$stage" -t "$tag" stand-ins 2>&1) ||
            { echo "$said" >&2; exit 1; }
    fi
done <<'IMAGES'
python python:3.11-slim-bookworm
redis redis:7-bookworm
redis redis:7
postgres postgres:16-bookworm
postgres postgres:16
haproxy haproxy:2.8-bookworm
prometheus prom/prometheus:v2.53.3
IMAGES
