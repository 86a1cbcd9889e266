#!/bin/bash
# The processes behind an open drive: what each holds, that they end with the one who started them,
# and that a drive that hangs holds up nobody, least of all the end of the program.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/bed.sh
bed_need
bed_up processes hts725050a9a362 || exit 1

# processes that descend from $1, itself left out
offspring() {
    local child
    for child in $(cat /proc/"$1"/task/*/children 2> /dev/null); do
        echo "$child"
        offspring "$child"
    done
}
named() { # NAME PID…: those of them that bear that name
    local name=$1 p
    shift
    for p in "$@"; do [ "$(cat /proc/"$p"/comm 2> /dev/null)" = "$name" ] && echo "$p"; done
}
wait_for() { # SECONDS COMMAND…
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.1
    done
}
gone() {
    local p
    for p in "$@"; do
        case $(sed -n 's/^State:\t\(.\).*/\1/p' /proc/"$p"/status 2> /dev/null) in
        '' | Z) ;; # a zombie has ended: whether it is collected is up to its new parent
        *) return 1 ;;
        esac
    done
}
start() { # a probe in the background, in a group of its own; sets $front $brokers $readers
    # what runs in the background of a script ignores SIGINT, and would hand that on
    env --default-signal=INT setsid "$PLATTER" probe --full --json "$dev" \
        > "$tmp/doc.json" 2> "$tmp/err" &
    front=$!
    wait_for 10 reading || true
    brokers=$(named platter-broker $(offspring $front))
    readers=$(named platter-reader $(offspring $front))
}
reading() { [ -n "$(named platter-reader $(offspring $front))" ]; }
links() { readlink /proc/"$1"/fd/* 2> /dev/null | sort; }

start
is "there is one broker" "$(wc -w <<< "$brokers")" 1
ok "and there are readers" test -n "$readers"
reader=$(head -1 <<< "$readers")
is "a reader is nobody" "$(sed -n 's/^Uid:\t//p' /proc/"$reader"/status)" \
    $'65534\t65534\t65534\t65534'
is "without a capability" \
    "$(grep -hE '^Cap' /proc/"$reader"/status | cut -f2 | sort -u)" 0000000000000000
is "its descriptors are the drive, the socket, the ring and nothing" \
    "$(links "$reader" | grep -vxE "$dev|/dev/null|socket:.*|anon_inode:\[io_uring\]")" ""
ok "the drive among them" grep -qx "$dev" <(links "$reader")
like "the front holds no descriptor of the drive" "x$(links $front | grep -cx "$dev")" '^x0$'
writable=
for p in $brokers $readers; do
    for f in /proc/"$p"/fd/*; do
        [ "$(readlink "$f")" = "$dev" ] || continue
        flags=$(sed -n 's/^flags:\t//p' /proc/"$p"/fdinfo/"${f##*/}")
        [ $((flags & 3)) = 0 ] || writable="$writable $p:$flags"
    done
done
is "every descriptor of the drive is read-only" "$writable" ""
kill -KILL $front
wait $front 2> /dev/null
ok "killed, it takes the others along" wait_for 5 gone $brokers $readers

start
kill -INT -- -$front
wait $front
is "a terminal's Ctrl-C ends it by that signal" $? 130
ok "with a document" jq -e '.complete == false' "$tmp/doc.json"
ok "and leaves no process" wait_for 5 gone $brokers $readers

# Longer than the limit of a minute; the reader cannot end before the drive answers.
start
sleep 1
scripts/bed ctl "${dir##*/}" 'hang 80' > /dev/null
began=$SECONDS
wait $front
rc=$?
took=$((SECONDS - began))
like "a drive that hangs is left: exit status" "$rc" '^(3|4)$'
ok "after the limit ($took s)" test $took -ge 50 -a $took -le 75
ok "with a document" jq -e '.complete == false' "$tmp/doc.json"
like "that says so" "$(jq -r '.events[].kind, .notes[]' "$tmp/doc.json")" 'no_answer'
ok "the broker is gone at once" gone $brokers
ok "the readers when the drive comes back" wait_for 40 gone $readers
done_testing
