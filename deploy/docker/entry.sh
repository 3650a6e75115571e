#!/bin/sh
# What a container does: a service by its noun, or whatever the command `pandemonium` can do.
set -eu
case "${1:-}" in
engine | lobby | scoring | gateway | bots) exec python -m "services.$1" ;;
*) exec pandemonium "$@" ;;
esac
