#!/bin/bash
# platter smart and platter list on a machine of which nothing is known: what they say of things that
# are no drives, of drives that cannot be asked, and what is the same everywhere.
. tests/tap.sh

usage() { # NAME REGEX ARGUMENT…
    local name=$1 regex=$2
    shift 2
    status "$name: status 2" 2 timeout 60 "$PLATTER" "$@"
    is "$name: nothing on stdout" "$out" ""
    like "$name: says so" "$err" "^platter: .*$regex"
}

usage "smart without a drive" 'platter list' smart
usage "smart of a simulated drive" 'no drive of this machine' smart sim:hts725050a9a362
usage "smart of a recording" 'no drive of this machine' smart replay:x
usage "smart of a regular file" 'regular file' smart README.md
usage "health without a list" 'of another command' probe --health sim:hts725050a9a362
status "smart of what is not there" 3 "$PLATTER" smart "$tmp/nothing"
like "says so" "$err" 'There is no'

# ---- dumps: the verdict on each is known (TABLE.md beside them)
dumps=../shared/smart
if [ -d "$dumps" ]; then
    for dump in "$dumps"/*--*; do
        case $(basename "$dump") in Maxtor_96147H8* | SAMSUNG_HD501LJ* | WDC_WD5000AAKS*) want=1 ;; *) want=0 ;; esac
        status "$(basename "$dump")" $want "$PLATTER" smart --load "$dump"
        unlike "nothing is called healthy" "$out" '[Hh]ealthy'
        like "the serial number is masked" "$out" 'serial number +\*+'
    done
    dump=$dumps/WDC_WD5000AAKS--00TMA0-12.01C01
    # as JSON: smartctl's names, our signs, and a document that platter show takes
    "$PLATTER" smart --json --load "$dump" > "$tmp/smart.json"
    ok "smartctl's names" jq -e '.smart.temperature.current == 40 and .smart.power_on_time.hours == 14992
        and (.smart.ata_smart_attributes.table | length) > 10 and .smart.smart_status.passed == true' "$tmp/smart.json"
    ok "our own" jq -e '.smart.platter.pending_sectors == 529 and .signs[0].severity == "reject" and .checks.made > 5' "$tmp/smart.json"
    "$PLATTER" show "$tmp/smart.json" > "$tmp/shown" 2>&1
    like "show shows it again" "$(cat "$tmp/shown")" '529 sectors wait'
    whole=$("$PLATTER" smart --json --full-identity --load "$dump" | jq -r .smart.serial_number)
    ok "the whole serial number when asked for" test "${#whole}" -gt 8
    unlike "else masked" "$(cat "$tmp/smart.json")" "$whole"
    unlike "and nowhere when it is anonymous" "$("$PLATTER" smart --json --anonymous --load "$dump")" "${whole: -4}\""
    like "what waits is told" "$("$PLATTER" smart --load "$dump")" '529 sectors wait'
    # a dump made without the serial number, from one that has it
    status "a dump is made anonymous" 1 "$PLATTER" smart --anonymous --load "$dump" --save "$tmp/anonymous"
    ok "and holds the same" test "$("$PLATTER" smart --json --load "$tmp/anonymous" | jq .smart.platter.pending_sectors)" = 529
    unlike "but for its serial number" "$(strings -n 4 "$tmp/anonymous")" "${whole: -4}"
    # cut off within a record, and between two
    for bytes in 520 521 532 1043; do
        head -c $bytes "$dump" > "$tmp/cut"
        status "its first $bytes bytes: not all is known" 3 "$PLATTER" smart --load "$tmp/cut"
        like "it is told where it is shown" "$(tr -s ' \n' ' ' <<< "$out")" ' file: .*is cut off'
        like "and on stderr" "$err" 'cut off'
    done
else
    skip "the verdict on each dump" "there is no ../shared/smart"
fi
for byte in 000 377; do
    { printf 'IDFY\0\0\2\0' && head -c 512 /dev/zero | tr '\0' "\\$byte"; } > "$tmp/blank"
    status "a dump of bytes $byte alone" 3 "$PLATTER" smart --load "$tmp/blank"
    like "is not believed" "$out" 'not believed'
done
printf 'no dump' > "$tmp/none"
usage "what is no dump" 'no file that platter smart --save' smart --load "$tmp/none"
usage "a dump and a drive" 'in place of a drive' smart --load "$tmp/none" /dev/null
usage "anonymous and whole" 'exclude each other' smart --anonymous --show-serial /dev/null

# ---- list
COLUMNS=80 "$PLATTER" list --all > "$tmp/list" 2>&1
is "no line of the list is over 80 columns" "$(awk 'length($0) > 80' "$tmp/list")" ""
like "it has a head, or there is no drive" "$(head -1 "$tmp/list")" '^(NAME +SIZE( +MODEL)?( +SERIAL)?( +RPM)?( +BUS)?( +TEMP)? +USE|No drive was found.*)$'
is "nor of what is said of health" "$(COLUMNS=80 "$PLATTER" list --health | awk 'length($0) > 80')" ""
is "a reason that several drives have stands once" \
    "$("$PLATTER" list --health | sed -n '/: not asked: /s,/dev/[a-z0-9-]*,DRIVE,gp' | sort | uniq -d)" ""
unlike "nobody is called healthy" "$(cat "$tmp/list")" '[Hh]ealthy'
status "list --json: status" 0 "$PLATTER" list --json
ok "each drive tells its use" jq -e 'all(.drives[]; (.use | type) == "array")' "$tmp/status.out"
start=$(date +%s)
"$PLATTER" list --health --json > "$tmp/health" 2> "$tmp/err"
rc=$?
ok "list --health: status 0, or 1 where a drive is bad" test "$rc" -le 1
ok "it takes no longer than it may" test $(($(date +%s) - start)) -le 9
ok "each drive has a verdict" jq -e 'all(.drives[]; .health.verdict | IN("no sign", "warn", "REJECT", "asleep", "no answer", "tells nothing", "not asked"))' "$tmp/health"
ok "a verdict that is none has its reason" jq -e 'all(.drives[].health; .verdict == "no sign" or (.why | length) > 0)' "$tmp/health"

# ---- a probe says what its reads are signs of
sim=sim:hts725050a9a362
status "a simulated drive is not asked" 0 "$PLATTER" probe --quick --probes access $sim
unlike "nothing is said of it" "$out" 'signs of trouble'
done_testing
