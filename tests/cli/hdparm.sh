#!/bin/bash
# platter -t and -T: hdparm's lines, read by the rules of programs that parse them.
. tests/tap.sh
sim=sim:hts725050a9a362
number='[0-9]+\.[0-9]{2}'

status "-tT: status" 0 "$PLATTER" -tT $sim
both=$out
is "-tT: simulated, said once, on stderr" "$err" "platter: $sim is a simulated drive: the figures are a model's"
like "-tT: the lines" "$both" $'^\n'"$sim"$':\n Timing cached reads:   [ 0-9]{3,} MB in [ 0-9.]{5,} seconds = [ 0-9.]{6,} MB/sec\n Timing buffered disk reads: [ 0-9]{3,} MB in [ 0-9.]{5,} seconds = [ 0-9.]{6,} MB/sec$'
is "four lines, the last ended" "$("$PLATTER" -tT $sim | wc -l)" 4
is "-T -t: the same order" "$("$PLATTER" -T -t $sim)" "$both"
is "-t -T: the same order" "$("$PLATTER" -t -T $sim)" "$both"
is "the drive before the letters" "$("$PLATTER" -tT -- $sim)" "$both"
is "-T alone" "$("$PLATTER" -T $sim)" "$(sed '/disk reads/d' <<< "$both")"
is "-t alone" "$("$PLATTER" -t $sim)" "$(sed '/cached reads/d' <<< "$both")"
is "two drives: a header each" "$("$PLATTER" -T $sim sim:raid0 | grep -c ':$')" 2

# ---- the parsers
is "the first number before MB/sec is the rate" \
    "$(grep -oE '[0-9]+\.[0-9]+ MB/sec' <<< "$both" | wc -l)" 2
rate=$(awk '/Timing buffered disk reads/ {print $(NF - 1)}' <<< "$both")
like "next to last field" "$rate" "^$number$"
is "eleventh field, MB/sec behind it" "$(awk '/disk reads:/ {print $11, $12}' <<< "$both")" "$rate MB/sec"
is "after the only equals sign" "$(grep 'Timing buffered disk reads' <<< "$both" | cut -d= -f2 | awk '{print $1}')" "$rate"
is "one equals sign a line" "$(grep Timing <<< "$both" | tr -cd '=\n' | sort -u)" "="
like "before the dot, a whole number" "${rate%.*}" '^[0-9]+$'
# 500 GB at 7200/min: 108 MiB/s outside, and MB is 2^20 here
ok "the rate is the drive's, in 2^20 bytes" awk -v r="$rate" 'BEGIN {exit !(r > 103 && r < 113)}'
ok "MB over seconds is the rate" awk '/disk reads/ {exit !($5 / $8 > $11 * 0.98 && $5 / $8 < $11 * 1.02)}' <<< "$both"
ok "-t reads for about three seconds" awk '/disk reads/ {exit !($8 > 2.5 && $8 < 3.5)}' <<< "$both"
ok "-T reads for about two seconds" awk '/cached reads/ {exit !($7 > 1.8 && $7 < 2.2)}' <<< "$both"

# ---- as a document
status "--json: status" 0 "$PLATTER" -tT --json $sim
ok "--json: a document of what was asked" jq -e \
    '.complete and .simulated and ([.findings | keys[] | sub("\\..*"; "")] | unique == ["buffered", "cached"])' "$tmp/status.out"
ok "--json: the figure of the line" jq -e --argjson r "$rate" \
    '.findings["buffered.bytes_per_s"].value / 1048576 / $r | . > 0.95 and . < 1.05' "$tmp/status.out"
is "-t --json: only that" "$("$PLATTER" -t --json $sim | jq -c '[.findings | keys[] | sub("\\..*"; "")] | unique')" '["buffered"]'
is "-t --json of two: an array" "$("$PLATTER" -t --json $sim sim:raid0 | jq length)" 2
is "-t --json --direct --offset: from there" \
    "$("$PLATTER" -t --json --direct --offset 460 $sim | jq '.findings["sequential.bytes_per_s"].from_bytes >= 460 * 1073741824')" true

# ---- past the page cache, from elsewhere
direct=$("$PLATTER" -tT --direct $sim)
like "--direct: -T" "$direct" $'\n Timing O_DIRECT cached reads:   [ 0-9]{3,} MB in '
like "--direct: -t" "$direct" $'\n Timing O_DIRECT disk reads: [ 0-9]{3,} MB in '
inner=$("$PLATTER" -t --direct --offset 460 $sim)
like "--offset: the line" "$inner" $'\n Timing O_DIRECT disk reads \(offset 460 GB\): [ 0-9]{3,} MB in '
ok "--offset: the inner zone is slower" awk -v outer="$(awk '/disk reads/ {print $(NF - 1)}' <<< "$direct")" \
    '/disk reads/ {exit !($(NF - 1) < outer * 0.6)}' <<< "$inner"

# ---- a slow drive is still given in MB/sec
printf '%s\n' 'like = hts725050a9a362' 'fault = eio 0 900M' > "$tmp/bad.truth"
status "a drive that cannot be read: status" 3 "$PLATTER" -t "sim:$tmp/bad.truth"
unlike "a drive that cannot be read: no figure" "$out" 'Timing'
like "a drive that cannot be read: says so" "$err" '^platter: .'
"$PLATTER" -t "sim:$tmp/bad.truth" 2> "$tmp/err" > /dev/null
is "errors end in a newline" "$(tail -c 1 "$tmp/err" | od -An -c | tr -d ' ')" '\n'
is "the header is as typed" "$("$PLATTER" -T "sim:$tmp/bad.truth" 2> /dev/null | sed -n 2p)" "sim:$tmp/bad.truth:"
done_testing
