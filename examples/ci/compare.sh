#!/bin/sh
# compare.sh BASE NEW ARTIFACT: compares two sides and leaves the section for the pull request's
# comment in ARTIFACT and the whole report in report.md. Never fails for what it found.
#   MACHINE   the section's key (standard: the machine class)   COMMIT    the new side's commit
#   SEQUENCE  the CI's run number                               SUMMARY   a file to append the report to
#   COMPARE_OPTIONS  more options (--threshold 5% for files with one number a row)
set -eu
set -- "$1" "$2" "$3" --format md --out report.md --comment "$3" --sequence "${SEQUENCE:-0}"
base=$1 new=$2
shift 3
[ -z "${MACHINE:-}" ] || set -- "$@" --section "$MACHINE"
[ -z "${COMMIT:-}" ] || set -- "$@" --commit "$COMMIT"
# shellcheck disable=SC2086 # a list of options is meant to be split
opmark compare "$base" "$new" "$@" ${COMPARE_OPTIONS:-}
[ -z "${SUMMARY:-}" ] || cat report.md >>"$SUMMARY"
