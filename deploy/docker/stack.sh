#!/usr/bin/env bash
# The stack of docker-compose.yml: stack.sh secrets | image | up | down. Called by `make up` and `make down`.
# SECONDS_TO_START: how long everything may take to become healthy. STACK: which services, if not all.
# PANDEMONIUM_SECRETS: another folder for the secrets than deploy/secrets.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
DOCKER=${DOCKER:-docker}
IMAGE=${PANDEMONIUM_IMAGE:-pandemonium:local}
SECRETS=${PANDEMONIUM_SECRETS:-deploy/secrets}
export COMPOSE_PROJECT_NAME=${COMPOSE_PROJECT_NAME:-pandemonium}

compose() {
    local files=(-f docker-compose.yml)
    if [ -e "$SECRETS/tls.pem" ]; then files+=(-f deploy/docker/tls.yml); fi
    local program=(docker-compose)
    if "$DOCKER" compose version >/dev/null 2>&1; then program=("$DOCKER" compose); fi
    "${program[@]}" "${files[@]}" "$@"
}

# The folder is closed to everybody else; the files are open to whichever user a container runs as.
secrets() {
    mkdir -p "$SECRETS/ops"
    chmod 700 "$SECRETS"
    passwords
    operator
    if [ -e "$SECRETS/tls.pem" ]; then chmod 644 "$SECRETS/tls.pem"; fi
}

passwords() {
    if [ -e "$SECRETS/grafana_password" ]; then return; fi
    local redis postgres
    redis=$(random) postgres=$(random)
    keep redis.conf "requirepass $redis"
    keep redis_url "redis://:$redis@redis:6379/0"
    keep postgres_password "$postgres"
    keep scoring_database_url "postgresql+asyncpg://pandemonium:$postgres@postgres/pandemonium"
    keep grafana_password "$(random)"
    echo "secrets made in $SECRETS; what is stored can't be read without them"
}

# The console's first account. Its password stays with the owner of the folder; containers see the hash.
operator() {
    if [ -e "$SECRETS/ops/accounts" ]; then return; fi
    local made
    made=$("$DOCKER" run --rm --network none --read-only --log-driver none "$IMAGE" ops password --random)
    keep operator.txt "operator
${made%%$'\n'*}"
    chmod 600 "$SECRETS/operator.txt"
    keep ops/accounts "operator:operator:${made##*$'\n'}"
}

random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }

keep() {
    (umask 022 && printf '%s\n' "$2" >"$SECRETS/$1")
}

image() {
    "$DOCKER" build ${PYTHON_IMAGE:+--build-arg "PYTHON_IMAGE=$PYTHON_IMAGE"} -t "$IMAGE" -f deploy/docker/Dockerfile .
}

# Each container that is not healthy, with the state that it is in.
unhealthy() {
    "$DOCKER" ps -aq --filter "label=com.docker.compose.project=$COMPOSE_PROJECT_NAME" |
        xargs -r "$DOCKER" inspect -f '{{index .Config.Labels "com.docker.compose.service"}} {{.State.Status}} {{with .State.Health}}{{.Status}}{{end}}' |
        grep -v ' running healthy$'
}

up() {
    secrets
    # shellcheck disable=SC2086  # a list
    compose up -d ${STACK:-}
    local deadline=$((SECONDS + ${SECONDS_TO_START:-180})) left
    while left=$(unhealthy); do
        if [ "$SECONDS" -ge "$deadline" ]; then
            printf 'not healthy in time:\n%s\n' "$left" >&2
            compose logs --tail 20 >&2
            return 1
        fi
        sleep 1
    done
    echo "the game:    http://$(address proxy 8080)"
    if [ -e "$SECRETS/tls.pem" ]; then echo "with TLS:    https://$(address proxy 8443)"; fi
    echo "the console: http://$(address ops 8090) (operator, password in $SECRETS/operator.txt)"
    echo "Prometheus:  http://$(address prometheus 9090)"
    if compose ps -q grafana 2>/dev/null | grep -q .; then
        echo "Grafana:     http://$(address grafana 3000) (admin, password in $SECRETS/grafana_password)"
    fi
}

address() { compose port "$1" "$2"; }

case "${1:-}" in
secrets) secrets ;;
image) image ;;
up) up ;;
down) compose down "${@:2}" ;;
*) echo "usage: stack.sh secrets | image | up | down [OPTION...]" >&2; exit 2 ;;
esac
