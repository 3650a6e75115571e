#!/bin/sh
# What a container does: a service by its noun, or whatever the command `pandemonium` can do (`ops` alone is the console,
# `ops` and a word is what the console can).
set -eu
case "$*" in
engine | lobby | scoring | gateway | bots | ops) exec python -m "services.$1" ;;
*) exec pandemonium "$@" ;;
esac
