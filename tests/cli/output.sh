#!/bin/bash
# Where results go: standard output that is closed or full, files, terminals, locales.
. tests/tap.sh
sim=sim:hts725050a9a362
quick=(probe --quick --probes zones,access --seed 1)

# ---- standard output
for command in "list" "sims" "help" "--version" "${quick[*]} $sim" "${quick[*]} --json $sim"; do
    # shellcheck disable=SC2086,SC2016
    status "stdout closed, $command: status 3" 3 bash -c '"$0" "$@" >&-' "$PLATTER" $command
    like "stdout closed, $command: says so" "$err" 'standard output'
    # shellcheck disable=SC2086,SC2016
    status "stdout full, $command: status 3" 3 bash -c '"$0" "$@" > /dev/full' "$PLATTER" $command
    like "stdout full, $command: says so" "$err" 'No space left'
done
# shellcheck disable=SC2016
status "stdout closed: the file is written all the same" 3 bash -c '"$0" "$@" >&-' "$PLATTER" "${quick[@]}" -o "$tmp/a.json" $sim
ok "stdout closed: and is whole" jq -e .complete "$tmp/a.json"
# shellcheck disable=SC2016
status "a reader that has gone: status 3" 3 bash -c 'set -o pipefail; "$0" "$@" | true' \
    "$PLATTER" probe --full --json sim:random:{1..4}
# shellcheck disable=SC2016
status "everything closed: no file is taken for a terminal" 3 bash -c '"$0" "$@" <&- >&- 2>&-' "$PLATTER" "${quick[@]}" -o "$tmp/b.json" $sim
ok "everything closed: the file is whole, nothing else is in it" jq -e .complete "$tmp/b.json"

# ---- files
status "-o -: the document on standard output" 0 "$PLATTER" "${quick[@]}" -o - $sim
ok "-o -: and nothing else" jq -e .complete "$tmp/status.out"
ln -s real.json "$tmp/link.json"
echo old > "$tmp/real.json"
status "-o over a link to a file" 0 "$PLATTER" "${quick[@]}" -o "$tmp/link.json" $sim
nok "-o over a link of one's own: a file stands in its place" test -L "$tmp/link.json"
ok "-o over a link of one's own: it is the document" jq -e .complete "$tmp/link.json"
is "-o over a link of one's own: what it led to is as it was" "$(cat "$tmp/real.json")" old
ln -s /dev/null "$tmp/null"
status "-o over a link to a device" 2 "$PLATTER" "${quick[@]}" -o "$tmp/null" $sim
ok "-o over a link to a device: it stays" test -L "$tmp/null"
status "-o /dev/stdout" 2 "$PLATTER" "${quick[@]}" -o /dev/stdout $sim
ok "-o /dev/stdout: it stays" test -L /dev/stdout
echo old > "$tmp/kept.json"
status "nothing measured, nothing replaced: status" 3 "$PLATTER" probe -o "$tmp/kept.json" sim:nonsense
is "nothing measured, nothing replaced" "$(cat "$tmp/kept.json")" old
mkdir "$tmp/dir"
status "-o a directory: status" 0 "$PLATTER" "${quick[@]}" -q -o "$tmp/dir/" $sim
is "-o a directory: one file, named after the drive" "$(ls -A "$tmp/dir")" sim-hts725050a9a362.json
if [ "$(id -u)" = 0 ]; then
    status "under sudo: status" 0 env SUDO_UID=65534 SUDO_GID=65533 "$PLATTER" "${quick[@]}" -q -o "$tmp/owned.json" --trace "$tmp/owned.rec" $sim
    is "under sudo: files belong to the caller" "$(stat -c %u:%g:%a "$tmp/owned.json" "$tmp/owned.rec" | uniq)" 65534:65533:644
    # links planted by somebody else, where everybody may plant
    chmod 755 "$tmp"
    mkdir -m 1777 "$tmp/sticky"
    mkdir "$tmp/target"
    echo precious > "$tmp/target/file"
    chmod 600 "$tmp/target/file"
    ln -s "$tmp/target/file" "$tmp/sticky/planted"
    ln -s "$tmp/target/none" "$tmp/sticky/dangling"
    ln -s "$tmp/target" "$tmp/sticky/folder"
    ln -s "$tmp/target/file" "$tmp/sticky/sim-hts725050a9a362.json"
    chown -h 65534:65534 "$tmp/sticky/"*
    for option in -o --trace; do
        for at in planted dangling folder/x folder/; do
            [ "$option$at" = --tracefolder/ ] && continue
            status "$option $at, another user's link: refused" 2 env SUDO_UID=65533 SUDO_GID=65533 \
                "$PLATTER" "${quick[@]}" -q "$option" "$tmp/sticky/$at" $sim
            like "$option $at, another user's link: says so" "$err" 'somebody else'
        done
    done
    status "-o DIR/, another user's link of the drive's name: refused" 2 "$PLATTER" "${quick[@]}" -q -o "$tmp/sticky/" $sim
    is "nothing was made or given away behind the links" "$(cd "$tmp/target" && stat -c '%n %u %a %s' -- *)" "file 0 600 9"
    ok "the links stand" test -L "$tmp/sticky/planted" -a -L "$tmp/sticky/dangling"
    chown -h 65533 "$tmp/sticky/planted"
    status "the link of who called sudo is replaced" 0 env SUDO_UID=65533 SUDO_GID=65533 "$PLATTER" "${quick[@]}" -q -o "$tmp/sticky/planted" $sim
    is "the link of who called sudo: a file of his now" "$(stat -c '%F %u' "$tmp/sticky/planted")" "regular file 65533"
    is "the link of who called sudo: what it led to is as it was" "$(cat "$tmp/target/file")" precious
    echo theirs > "$tmp/sticky/theirs"
    chown 65534 "$tmp/sticky/theirs"
    ln "$tmp/sticky/theirs" "$tmp/sticky/hard"
    status "a file with a second name is replaced" 0 "$PLATTER" "${quick[@]}" -q -o "$tmp/sticky/hard" $sim
    is "a file with a second name: that one is as it was" "$(cat "$tmp/sticky/theirs")" theirs
    status "the same for a recording" 0 env SUDO_UID=65533 SUDO_GID=65533 "$PLATTER" "${quick[@]}" -q --trace "$tmp/sticky/theirs" $sim
    mkdir "$tmp/small"
    if mount -t tmpfs -o size=8k tmpfs "$tmp/small" 2> /dev/null; then
        head -c 4096 /dev/zero > "$tmp/small/filler"
        status "a full disk for -o: status 3" 3 "$PLATTER" "${quick[@]}" -o "$tmp/small/x.json" $sim
        like "a full disk for -o: says so" "$err" 'No space left'
        is "a full disk for -o: no half document" "$(ls -A "$tmp/small")" filler
        like "a full disk for -o: the report is shown" "$out" 'Random reads'
        status "a full disk for --trace: status 3" 3 "$PLATTER" "${quick[@]}" --trace "$tmp/small/x.rec" $sim
        like "a full disk for --trace: says so" "$err" 'not whole'
        like "a full disk for --trace: the report is shown" "$out" 'Random reads'
        umount "$tmp/small"
    else
        skip "a full disk for -o" "no tmpfs may be mounted here"
    fi
    skip "-o into a folder that may not be written" "root may"
else
    skip "files belong to who called sudo" "needs root"
    mkdir -m 555 "$tmp/locked"
    status "-o into a folder that may not be written: status 2" 2 "$PLATTER" "${quick[@]}" -o "$tmp/locked/x" $sim
    like "-o into a folder that may not be written: says so" "$err" 'Permission denied'
fi

# ---- drawing
export LC_ALL=C.UTF-8
"$PLATTER" "${quick[@]}" $sim > "$tmp/utf8"
ok "UTF-8 where the locale has it" grep -q '±' "$tmp/utf8"
ok "no escape codes in a pipe" test -z "$(grep $'\e' "$tmp/utf8")"
"$PLATTER" "${quick[@]}" --ascii $sim > "$tmp/ascii"
ok "--ascii: only ASCII" test -z "$(LC_ALL=C grep -P '[^\x00-\x7f]' "$tmp/ascii")"
LC_ALL=C "$PLATTER" "${quick[@]}" $sim > "$tmp/c"
ok "ASCII where the locale is C" test -z "$(LC_ALL=C grep -P '[^\x00-\x7f]' "$tmp/c")"
same() { sed -E 's/[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]+ UTC//' "$1"; }
is "C and --ascii draw the same" "$(same "$tmp/c")" "$(same "$tmp/ascii")"
env -u LC_ALL LC_CTYPE=de_DE.UTF-8 LANG=C "$PLATTER" "${quick[@]}" $sim > "$tmp/ctype"
ok "LC_CTYPE counts before LANG" grep -q '±' "$tmp/ctype"
"$PLATTER" "${quick[@]}" --color=always $sim > "$tmp/color"
ok "--color=always: colour in a pipe" grep -q $'\e\[' "$tmp/color"
is "colour changes nothing else" "$(sed $'s/\e\\[[0-9;]*m//g' "$tmp/color" | same /dev/stdin)" "$(same "$tmp/utf8")"
COLUMNS=120 "$PLATTER" "${quick[@]}" $sim > "$tmp/wide"
ok "COLUMNS in a pipe: wider" test "$(wc -L < "$tmp/wide")" -gt 80
ok "COLUMNS in a pipe: not wider than that" test "$(wc -L < "$tmp/wide")" -le 120
COLUMNS=60 "$PLATTER" "${quick[@]}" $sim > "$tmp/narrow"
ok "COLUMNS in a pipe: narrower" test "$(wc -L < "$tmp/narrow")" -le 60
is "COLUMNS that is no number: 80" "$(COLUMNS=wide "$PLATTER" "${quick[@]}" $sim | same /dev/stdin)" "$(same "$tmp/utf8")"
ok "no line is wider than 80 columns" test "$(wc -L < "$tmp/utf8")" -le 80

# ---- numbers
for locale in de_DE.UTF-8 fr_FR.UTF-8; do
    LC_ALL=$locale "$PLATTER" "${quick[@]}" $sim > "$tmp/local"
    ok "$locale: numbers keep their dot" test -z "$(grep -E '[0-9],[0-9]' "$tmp/local")"
    is "$locale: the report is the same" "$(same "$tmp/local")" "$(same "$tmp/utf8")"
done
LC_ALL=de_DE.UTF-8 "$PLATTER" "${quick[@]}" --json $sim > "$tmp/local.json"
ok "de_DE.UTF-8: JSON is JSON" jq -e '.findings["access.mean_s"].value < 1' "$tmp/local.json"

# ---- a terminal
if command -v script > /dev/null; then
    tty() { TERM=xterm script -qec "$1" /dev/null < /dev/null; }
    tty "stty cols 100; '$PLATTER' ${quick[*]} $sim" > "$tmp/tty"
    ok "colour on a terminal" grep -q $'\e\[' "$tmp/tty"
    tty "NO_COLOR=1 '$PLATTER' ${quick[*]} $sim" > "$tmp/tty"
    ok "NO_COLOR: none" test -z "$(grep $'\e' "$tmp/tty")"
    tty "TERM=dumb '$PLATTER' ${quick[*]} $sim" > "$tmp/tty"
    ok "a dumb terminal: none" test -z "$(grep $'\e' "$tmp/tty")"
    tty "'$PLATTER' ${quick[*]} --color=never $sim" > "$tmp/tty"
    ok "--color=never: none" test -z "$(grep $'\e' "$tmp/tty")"
    tty "'$PLATTER' probe --full -q sim:random:1" > "$tmp/tty"
    is "-q: nothing, not even progress" "$(cat "$tmp/tty")" ""
    # the line is drawn once a quarter of a second has passed: the probing, too fast for that, is held
    tty "for s in 0.01 0.02 0.03 0.04 0.06; do
        '$PLATTER' probe --full --seed 1 sim:mzvl21t0hcjr 2>&1 > /dev/null & sleep \$s
        kill -STOP \$!; sleep 0.4; kill -CONT \$!; wait \$!; done 2> /dev/null" > "$tmp/tty"
    if [ -s "$tmp/tty" ]; then
        like "progress names the step and the time left" "$(cat "$tmp/tty")" $'\r[a-z]+ +[0-9]+ %  .* left'
        like "progress is cleared" "$(cat "$tmp/tty")" $'\r +\r$'
    else
        skip "progress" "this machine was too fast to show any"
    fi
else
    skip "a terminal" "there is no script(1)"
fi
"$PLATTER" "${quick[@]}" $sim 2> "$tmp/err" > /dev/null
is "no progress where stderr is no terminal" "$(cat "$tmp/err")" ""
"$PLATTER" "${quick[@]}" -v $sim 2> "$tmp/err" > /dev/null
is "-v: a line for each step" "$(cat "$tmp/err")" $'platter: step 1 of 2: zones\nplatter: step 2 of 2: access'
done_testing
