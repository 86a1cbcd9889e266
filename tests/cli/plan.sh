#!/bin/bash
# platter plan: what probe will do, told without touching the drive.
. tests/tap.sh
sim=sim:hts725050a9a362

plan() { "$PLATTER" plan "$@"; }
status "a plan" 0 plan $sim
like "names the drive" "$out" 'Plan for sim:hts725050a9a362, Hitachi HTS725050A9A362, 500 GB'
like "marks it as simulated" "$out" '! SIMULATED DRIVE'
like "has the random reads" "$out" $'\n  access +[0-9.]+ s  How long does a random read take\?'
like "says how long it takes" "$out" $'\n  About [0-9]+ s of the drive.s time \(standard\)'
is "nothing on stderr" "$err" ""
is "no line over 80 columns" "$(awk 'length($0) > 80' <<< "$out")" ""
is "ASCII without UTF-8" "$(LC_ALL=C grep -P '[^\x00-\x7F]' <<< "$out")" ""
for columns in 40 120; do
    is "no line over $columns columns" "$(COLUMNS=$columns plan $sim | awk -v n=$columns 'length($0) > n')" ""
done
status "of a part" 0 plan --from 25% --to 50% $sim
like "names the part" "$out" 'only the region +125.* GB'
status "of one probe" 0 plan --probes access $sim
is "has one step" "$(grep -c ' s  ' <<< "$out")" 1
for effort in quick full; do
    like "--$effort is named" "$(plan --$effort $sim)" "\($effort\)"
done
like "a time limit is kept to" "$(plan --max-time 10 $sim)" 'About (9\.[0-9]|8\.9) s'

if command -v jq > /dev/null; then
    status "in JSON" 0 plan --json --seed 7 $sim
    printf '%s\n' "$out" > "$tmp/plan.json"
    ok "names its version" jq -e '.platter_plan.version == [1, 0]' "$tmp/plan.json"
    ok "the steps make up the whole" \
        jq -e '([.steps[].expected_s] | add) - .expected_s | . < 1e-6 and . > -1e-6' "$tmp/plan.json"
    ok "holds seed and drive" \
        jq -e '.seed == 7 and .device.simulated and .device.size_bytes == 500107862016' "$tmp/plan.json"
    # what is planned is what is done: each figure is of a probe of the plan, or of what it also puts
    "$PLATTER" probe --quick --json --seed 7 $sim > "$tmp/doc.json" 2> /dev/null
    plan --quick --json $sim > "$tmp/plan.json"
    is "probe does those steps and no other" \
        "$(jq -r '.findings | keys[]' "$tmp/doc.json" | sed 's/\..*//' | sort -u |
            grep -vx -e overhead -e "$(jq -r '.steps[].probe' "$tmp/plan.json" | sort -u | paste -sd'|' |
                sed 's/|/\\|/g')")" ""
    ok "in about that time" jq -e --slurpfile p "$tmp/plan.json" \
        '.elapsed_s < 1.25 * $p[0].expected_s' "$tmp/doc.json"
else
    skip "in JSON" "there is no jq"
fi

usage() { # NAME STATUS REGEX ARGUMENT…
    local name=$1 want=$2 regex=$3
    shift 3
    status "$name" "$want" plan "$@"
    like "$name: says so" "$err" "$regex"
    is "$name: nothing on stdout" "$out" ""
}
usage "no drive" 2 'platter list'
usage "two drives" 2 'one drive' $sim sim:raid0
usage "no such drive" 3 'no simulated drive' sim:nothing
usage "no block device" 2 'character device' /dev/null
usage "a probe there is not" 2 'no probe "frobnicate"' --probes frobnicate $sim
usage "a region beyond the drive" 2 'ends at byte' --from 1T $sim
usage "quick and full" 2 'exclude' --quick --full $sim
usage "what is not planned" 2 'another command' --trace x $sim

disk=$(lsblk -dnbpo NAME,SIZE 2> /dev/null | awk '$2 > 0 { print $1; exit }')
if command -v strace > /dev/null && [ -b "$disk" ]; then
    # the leak sanitizer cannot work while a program is traced
    ASAN_OPTIONS=detect_leaks=0 strace -f -o "$tmp/strace" "$PLATTER" plan "$disk" > /dev/null 2>&1
    is "plan $disk ends well" $? 0
    is "it opens no device" "$(grep -E 'open(at)?\(.*"/dev/' "$tmp/strace" | grep -vE '"/dev/(null|urandom|tty)"')" ""
else
    skip "plan opens no device" "there is no strace, or no disk"
fi
done_testing
