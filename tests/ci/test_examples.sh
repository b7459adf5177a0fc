#!/bin/sh
# test_examples.sh: what examples/ci and action.yml promise: their YAML is YAML, the scripts they call exist, and the
# commands in those scripts run, with the exit codes that CI relies on.
set -u
build=${OM_BUILD_DIR:?} source=${OM_SOURCE_DIR:?}
PATH="$build:$PATH"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
ci=$source/examples/ci

check() { # check NAME COMMAND...
	name=$1
	shift
	if "$@" >"$folder/log" 2>&1; then
		echo "ok $name"
	else
		echo "not ok $name"
		sed 's/^/    /' "$folder/log"
	fi
}

yaml_is_yaml() {
	python3 -c '
import sys, yaml
for path in sys.argv[1:]:
    assert isinstance(yaml.safe_load(open(path)), dict), path' "$source/action.yml" "$ci"/*.yml
}
if python3 -c 'import yaml' 2>/dev/null; then
	check yaml_is_yaml yaml_is_yaml
else
	echo "skipped yaml_is_yaml (no PyYAML: python3-yaml)"
fi

# Every script that a pipeline names is there and can be run.
named_scripts_exist() {
	for script in $(grep -oh 'examples/ci/[a-z-]*\.sh' "$source/action.yml" "$ci"/*.yml "$ci/Jenkinsfile" | sort -u); do
		[ -x "$source/$script" ] || { echo "$script is missing"; return 1; }
		sh -n "$source/$script" || return 1
	done
}
check named_scripts_exist named_scripts_exist

rows() { # rows FILE TIME: one row
	printf 'case,impl,sample,ms\nnorm,ours,0,%s\n' "$2" >"$1"
}
rows base.csv 1.0
rows same.csv 1.0
rows slow.csv 1.5

compare_leaves_artifact_and_summary() {
	MACHINE=box COMMIT=c1 SEQUENCE=3 SUMMARY=summary.md COMPARE_OPTIONS="--threshold 5%" \
		"$ci/compare.sh" base.csv slow.csv report.json &&
		grep -q '"key": "box"' report.json && grep -q '1 slower' report.md && grep -q '1 slower' summary.md
}
check compare_leaves_artifact_and_summary compare_leaves_artifact_and_summary

code_of() { # code_of EXPECTED COMMAND...
	want=$1
	shift
	"$@"
	got=$?
	[ $got -eq "$want" ] || { echo "exit $got, not $want"; return 1; }
}
gate_fails_on_slower_rows() {
	printf 'fail slower missing\n' >policy.wl
	POLICY=policy.wl code_of 0 "$ci/gate.sh" base.csv same.csv && # one launch a side decides nothing
		code_of 1 opmark gate base.csv slow.csv --threshold 5% &&
		code_of 0 opmark gate slow.csv base.csv --threshold 5%
}
check gate_fails_on_slower_rows gate_fails_on_slower_rows

# Nobody listens on the port: the report is in the log and in the summary, and the job goes on.
comment_never_fails_the_job() {
	rm -f summary.md
	OPMARK_TOKEN=secret REPOSITORY=a/b NUMBER=1 API=http://127.0.0.1:9 SUMMARY=summary.md \
		timeout 60 sh -c "sed 's/comment post/comment post --timeout 2 --pause 50/' '$ci/comment.sh' >c.sh; sh c.sh github report.json" >out.txt 2>&1 &&
		grep -q '1 slower' out.txt && grep -q '1 slower' summary.md && ! grep -q secret out.txt
}
check comment_never_fails_the_job comment_never_fails_the_job

measure_leaves_records() {
	printf '[perf]\nrmsnorm m=16 h=64\n' >tiny.wl
	RUN_OPTIONS="--launches 1 --time 20ms --provider own" "$ci/measure.sh" ./tiny.wl results &&
		[ -s results/records.jsonl ]
}
check measure_leaves_records measure_leaves_records

ab_leaves_two_sides() {
	AB_OPTIONS="--provider fake --device fake:0 --cache warm --threads 1 --time 2ms --rounds 10 -q" \
		"$ci/ab.sh" "$build/opmark" "$build/opmark" ./tiny.wl turns &&
		MACHINE=box COMMIT=c1 SEQUENCE=3 "$ci/compare.sh" turns/base turns/head report.json &&
		grep -q 'measured in turns' report.md && code_of 0 "$ci/gate.sh" turns/base turns/head
}
check ab_leaves_two_sides ab_leaves_two_sides
exit 0
