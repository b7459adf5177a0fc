#!/bin/sh
# measure.sh SUITE OUT: measures a suite into the folder OUT. Needs no token and no network.
# RUN_OPTIONS adds options (--launches 10 --cpus 2-5). Wrong or crashed rows of our own fail the job.
set -eu
# shellcheck disable=SC2086 # a list of options is meant to be split
exec opmark run --suite "$1" --out "$2" ${RUN_OPTIONS:-}
