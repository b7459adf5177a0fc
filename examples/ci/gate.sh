#!/bin/sh
# gate.sh BASE NEW: fails (exit 1) when the new side is slower, lacks rows or is suspect, as the
# policy file POLICY allows.
set -eu
exec opmark gate "$1" "$2" ${POLICY:+--policy "$POLICY"}
