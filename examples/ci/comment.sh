#!/bin/sh
# comment.sh FORGE ARTIFACT: posts the section in ARTIFACT (forge: github or gitlab). It runs nothing
# of the pull request and never fails the job: without permission the report is in the log and in
# SUMMARY. The token comes in OPMARK_TOKEN.
#   REPOSITORY, NUMBER  which pull request      API  the instance's API, where it is not the public one
set -eu
if opmark comment post "$2" --forge "$1" --repository "$REPOSITORY" --number "$NUMBER" \
	${API:+--api "$API"} ${SUMMARY:+--summary "$SUMMARY"}; then
	exit 0
fi
echo "The comment was not posted; the report is above."
