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
like "a time limit is kept to" "$(plan --max-time 10 $sim)" 'About (8\.[0-9]|9\.0) s'
like "what it has no room for is named" "$(plan --max-time 10 $sim | tr -s '\n ' ' ')" \
    'Left out for lack of time: patterns, [a-z, ]+\. --max-time of [0-9]+ s or more has room for all'
ok "what it has no room for is named in JSON" jq -e \
    '(.complete | not) and (.left_out | index("patterns")) and ([.steps[].probe] | index("patterns") | not)' \
    <(plan --json --max-time 10 $sim)
ok "more runs take longer, and it says so" jq -e '.expected_s > 100' <(plan --json --runs 100 $sim)
status "--no-wake: what is awake" 0 plan --no-wake $sim
printf 'like = hts725050a9a362\nfault = standby\n' > "$tmp/asleep.truth"
status "--no-wake: what sleeps is left alone, as probe does" 3 plan --no-wake "sim:$tmp/asleep.truth"
like "--no-wake: says so" "$err" 'is asleep and is left so, as --no-wake asks'

# ---- as long as it said, where the system knows the kind of drive and it is what it seems
for name in $("$PLATTER" sims --json | jq -r '.. | .name? // empty' | sed 's/^sim://' | grep -v '[A-Z]'); do
    for effort in --quick --seed=1; do
        took=$("$PLATTER" probe $effort --seed 1 --json sim:$name 2> /dev/null | jq .run.elapsed_s)
        plan --json $effort sim:$name | jq "{expected_s, budget_s, took_s: $took}" > "$tmp/times"
        case $name in
        virtual*|smrnew) # memory and what was never written, said to turn
            ok "plan $effort of $name: not longer" jq -e '.took_s <= 1.05 * .budget_s' "$tmp/times" ;;
        *)
            ok "plan $effort of $name: within 15 %" jq -e \
                '(.took_s / .expected_s) as $r | $r > 0.85 and $r < 1.15' "$tmp/times" ;;
        esac
    done
    ok "plan of $name: at most 50 s" jq -e '.expected_s <= 50 and .budget_s <= 50.001' "$tmp/times"
done

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
