#!/bin/bash
# Each wrong way to use the program: its status, a sentence on stderr, nothing on stdout.
. tests/tap.sh

refused() { # NAME STATUS REGEX ARGUMENT…
    local name=$1 want=$2 regex=$3
    shift 3
    status "$name: status $want" "$want" timeout 60 "$PLATTER" "$@"
    is "$name: nothing on stdout" "$out" ""
    like "$name: says so" "$err" "^platter: .*$regex"
    unlike "$name: no escape codes" "$err" $'\e'
}
usage() { # NAME REGEX ARGUMENT…: the same, and where help is
    local name=$1 regex=$2
    shift 2
    refused "$name" 2 "$regex" "$@"
    like "$name: where help is" "$err" $'\nTry: platter help'
}

sim=sim:hts725050a9a362
usage "no command" "platter list"
usage "an unknown command" 'no command "frobnicate"' frobnicate
usage "a command misspelt" 'did you mean "probe"' prob $sim
usage "a device for a command" 'platter probe /dev/sda' /dev/sda
usage "hdparm's topic is no command" 'no command "hdparm"' hdparm -t $sim
usage "an unknown topic" 'no command "frobnicate"' help frobnicate
usage "two topics" 'one command' help list probe
usage "probe without a drive" 'platter list' probe
usage "an unknown option" 'no option --frobnicate' probe --frobnicate $sim
usage "an option misspelt" 'did you mean --quick' probe --qiuck $sim
usage "an option shortened" 'did you mean --quick' probe --quic $sim
usage "another command's option" 'of another command' list --seed 3
usage "an unknown letter" 'no option -z' probe -z $sim
usage "a letter's value missing" '-?-output needs a value' probe $sim -o
usage "a value missing" '--seed needs a value' probe $sim --seed
usage "a value empty" '--seed needs a value' probe --seed= $sim
usage "a value not wanted" '--json takes no value' probe --json=yes $sim
usage "a seed that is no number" 'whole number from 0 to 18446744073709551615' probe --seed 1x $sim
usage "a seed too large" 'out of range' probe --seed 18446744073709551616 $sim
usage "no runs" 'out of range: it takes a whole number from 1 to 100' probe --runs 0 $sim
usage "too many runs" 'out of range: it takes a whole number from 1 to 100' probe --runs 101 $sim
usage "a time that is none" 'a time' probe --max-time soon $sim
usage "no time" 'out of range: it takes a time from 1ms to 1000h' probe --max-time 0 $sim
usage "a place that is none" '0% to 100%' probe --from there $sim
usage "more than all of it" 'out of range: .*percent|out of range: .*0% to 100%' probe --to 101% $sim
usage "a start past all of it" 'out of range: .*0% to 100%' probe --from 101% $sim
usage "a request that is none" 'bytes' probe --request big $sim
usage "a request of nothing" 'out of range: it takes a number of bytes from 512 to 16MiB' probe --request 0 $sim
usage "a request too large" 'out of range: .*16MiB' probe --request 1T $sim
usage "a request a byte too large" 'out of range: .*16MiB' probe --request 16777217 $sim
usage "too deep" 'out of range: it takes a whole number from 1 to 256' probe --depth 257 $sim
usage "a colour there is not" 'auto, always or never' probe --color blue $sim
usage "quiet and verbose" 'exclude each other' probe -qv $sim
usage "an empty name" 'empty' probe ''
usage "an empty name, hdparm'\''s way" 'empty' -t ''
usage "options before the command" 'platter probe --quick' --quick probe $sim
usage "a value before the command" 'platter probe --seed' --seed 3 probe $sim
usage "a letter before the command" 'platter list -a' -a list
usage "quick and full" 'exclude each other' probe --quick --full $sim
usage "one drive twice" 'same drive' probe $sim sim:raid0 $sim
usage "one drive twice, hdparm'\''s way" 'same drive' -t $sim $sim
usage "a recording on standard output" 'needs a file' probe --trace - $sim
usage "a document of what has none" 'no document' -tT --direct --json $sim
usage "a recording of two drives" 'one drive at a time' probe --trace "$tmp/x" $sim sim:raid0
usage "a file for two drives" 'directory' probe -o "$tmp/x" $sim sim:raid0
usage "list with a drive" 'platter probe' list /dev/sda
usage "sims with an argument" 'no argument' sims x
usage "show without a file" 'one file' show
usage "show of two files" 'one file' show a b
usage "hdparm's way, nothing to time" 'give -t, -T' --direct $sim
usage "hdparm's way, no drive" 'a drive is needed' -tT
usage "hdparm's way, another letter" 'no option -W' -tW $sim
usage "hdparm's way, offset past everything" 'past the end' -t --offset 99999999999999 $sim

# ---- what fits no drive
refused "an unknown probe" 2 'there are: .*zones, .*seekers' probe --probes acess $sim
refused "an empty name of a probe" 2 'no probe ""' probe --probes zones,,access $sim
refused "a start past the end" 2 "$sim ends at byte 500107862016" probe --from 2TB $sim
refused "an end past the end" 2 'choose an earlier end' probe --to 2TB $sim
refused "an end before the start" 2 'let it end behind it' probe --from 2GB --to 1GB $sim
refused "less than a block" 2 'does not hold one block' probe --from 513 --to 1000 $sim
refused "an end at the beginning" 2 'byte 0' probe --to 0 $sim
refused "half a sector" 2 'not a multiple' probe --request 700 $sim
status "hdparm's way, offset past the drive: status 2" 2 "$PLATTER" -t --offset 1000 $sim
is "hdparm's way, offset past the drive: a header, no figure" "$out" $'\n'"$sim:"
like "hdparm's way, offset past the drive: says so" "$err" 'choose an earlier start'

# ---- what is no drive
refused "no simulated drive of that name" 3 'sim:nonsense' probe sim:nonsense
refused "no file of that name" 3 'nonexistent' probe sim:/nonexistent/x.truth
echo 'kind = sponge' > "$tmp/bad.truth"
refused "a truth file that is none" 3 'kind' probe "sim:$tmp/bad.truth"
refused "a recording that is not there" 3 'No such file' probe "replay:$tmp/nothing"
refused "a recording that is none" 3 'not a recording' probe "replay:$tmp/bad.truth"
refused "a directory" 2 'directory' probe "$tmp"
refused "a regular file" 2 'losetup' probe "$tmp/bad.truth"
refused "a character device" 2 'character device' probe /dev/null
mkfifo "$tmp/fifo"
refused "a FIFO" 2 '(FIFO|pipe)' probe "$tmp/fifo"
refused "a missing node" 3 'nonexistent' probe /dev/nonexistent
refused "a serial number nobody has" 3 '.' probe serial:no-such-serial-anywhere
status "hdparm's way, a missing node: status" 3 "$PLATTER" -T /dev/nonexistent
is "hdparm's way, a missing node: a header, no figure" "$out" $'\n/dev/nonexistent:'
like "hdparm's way, a missing node: says so" "$err" 'nonexistent'

# ---- where the document should go
refused "-o into a folder that is not there" 2 'nothing' probe -o "$tmp/nothing/x.json" $sim
refused "-o into a directory that is not there" 2 'nothing' probe -o "$tmp/nothing/" $sim
refused "-o and --trace are one file" 2 'two files' probe -o "$tmp/one" --trace "$tmp/../${tmp##*/}/one" $sim
refused "-o is the second part of the recording" 2 'two files' probe -o "$tmp/one.cached" --trace "$tmp/one" $sim
mkdir "$tmp/dir"
refused "-o DIR names the recording" 2 'two files' probe -o "$tmp/dir/" --trace "$tmp/dir/${sim/:/-}.json" $sim
is "nothing was left by these checks" "$(ls -A "$tmp/dir")" ""
refused "-o over a character device" 2 'character device' probe -o /dev/null $sim
refused "-o over a FIFO" 2 'FIFO' probe -o "$tmp/fifo" $sim
refused "--trace over a FIFO" 2 'FIFO' probe --trace "$tmp/fifo" $sim
for b in /dev/*; do [ -b "$b" ] && break; done
if [ -b "$b" ]; then
    refused "-o over a block device" 2 'block device' probe -o "$b" $sim
else
    skip "-o over a block device" "there is none here"
fi

# ---- documents that are none
refused "show of nothing" 3 'No such file' show "$tmp/nothing"
refused "show of a directory" 3 'directory' show "$tmp"
for text in '[' '[{}' '[1,' '[] x' '[[]]' '[{}]' '["]"'; do
    printf '%s' "$text" > "$tmp/array.json"
    refused "show of $text" 2 'array.json' show "$tmp/array.json"
done
refused "show of something else" 2 'bad.truth' show "$tmp/bad.truth"
: > "$tmp/empty"
refused "show of an empty file" 2 'empty' show "$tmp/empty"
"$PLATTER" probe --quick --probes access --seed 1 --json $sim > "$tmp/doc.json"
size=$(stat -c %s "$tmp/doc.json")
for share in 1 3 5 8; do
    head -c $((size * share / 10)) "$tmp/doc.json" > "$tmp/cut.json"
    refused "show of ${share}0 % of a document" 2 'cut.json' show "$tmp/cut.json"
done
jq '.platter_document.version = [99, 0]' "$tmp/doc.json" > "$tmp/newer.json"
refused "show of a newer document" 2 'newer' show "$tmp/newer.json"
jq '.findings["access.mean_s"].value = "fast"' "$tmp/doc.json" > "$tmp/damaged.json"
refused "show of a damaged document" 2 'access.mean_s' show "$tmp/damaged.json"
refused "show --json of a damaged document" 2 'access.mean_s' show --json "$tmp/damaged.json"
done_testing
