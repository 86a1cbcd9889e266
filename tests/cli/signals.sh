#!/bin/bash
# Stopped at random moments: every document on standard output is whole, the last one may be partial,
# and the program dies of the signal it was sent.
. tests/tap.sh
command -v jq > /dev/null || skip_all "there is no jq"
env --default-signal=INT true 2> /dev/null || skip_all "env cannot set signals"
drives=$(seq -f 'sim:random:%g' 1 400)

stopped=0
for trial in 1 2 3 4 5 6 7 8 9; do
    case $((trial % 3)) in 0) signal=INT ;; 1) signal=TERM ;; 2) signal=HUP ;; esac
    # a shell's background job ignores SIGINT unless it is given its default back
    # shellcheck disable=SC2086
    env --default-signal=INT,HUP "$PLATTER" probe --full --json $drives > "$tmp/docs.json" 2> "$tmp/err" &
    child=$!
    sleep "0.$((RANDOM % 8 + 1))$((RANDOM % 10))"
    kill -$signal $child
    wait $child
    rc=$?
    [ $rc = 0 ] && continue # was faster than the signal
    is "SIG$signal: dies of it" $rc $((128 + $(kill -l $signal)))
    ok "SIG$signal: whole documents only" jq -e 'all(.[]; .platter_document.version[0] == 1)' "$tmp/docs.json"
    ok "SIG$signal: only the last may be partial" jq -e '.[:-1] | all(.[]; .complete)' "$tmp/docs.json"
    is "SIG$signal: nothing on stderr" "$(cat "$tmp/err")" ""
    if [ "$(jq '.[-1].complete' "$tmp/docs.json")" = false ]; then
        stopped=$((stopped + 1))
        ok "SIG$signal: the partial one says why" jq -e \
            '.[-1] | ([.events[].kind] | index("stopped")) and
             ([.findings[] | select(.why_not == "stopped before it was measured")] | length > 0)' "$tmp/docs.json"
        jq '.[-1]' "$tmp/docs.json" > "$tmp/last.json"
        like "SIG$signal: its report" "$("$PLATTER" show "$tmp/last.json")" 'PARTIAL: stopped'
    fi
done
ok "some were stopped in the middle of a drive" test $stopped -gt 0

# ---- a file is whole too
env --default-signal=INT "$PLATTER" probe --full -q -o "$tmp" $drives 2> /dev/null &
child=$!
sleep 0.3
kill -INT $child
wait $child
is "files: dies of it" $? 130
ok "files: all are whole" bash -c 'cat "$1"/sim-random-*.json | jq -se "length > 0"' - "$tmp"
ok "files: nothing half written stays" test -z "$(find "$tmp" -name '*.json.*')"

# ---- while it waits for input
mkfifo "$tmp/fifo"
"$PLATTER" show - < <(sleep 20) > "$tmp/out" 2>&1 &
child=$!
sleep 0.3
kill -TERM $child
wait $child
is "show, while it waits: dies of it" $? 143

# ---- nohup
(trap '' HUP; exec "$PLATTER" probe --full --json $drives > "$tmp/docs.json") &
child=$!
sleep 0.2
kill -HUP $child
sleep 0.1
ok "SIGHUP ignored on entry stays ignored" kill -0 $child
kill -TERM $child
wait $child
is "and SIGTERM still ends it" $? 143
done_testing
