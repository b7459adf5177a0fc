#!/bin/sh
# ab.sh BASE HEAD SUITE OUT: measures two builds (their opmark programs) in turns into OUT/base and OUT/head, which
# compare.sh and gate.sh take as sides. Needs no token and no network; never fails for what it found.
# AB_OPTIONS adds options (--cpus 2-5 --time 1s).
set -eu
# shellcheck disable=SC2086 # a list of options is meant to be split
exec opmark ab --base "$1" --head "$2" --suite "$3" --out "$4" ${AB_OPTIONS:-}
