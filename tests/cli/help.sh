#!/bin/bash
# Help is what was agreed on, fits a terminal, and the manual names every option the program has.
. tests/tap.sh
golden=tests/cli/golden

same() { # NAME FILE COMMAND…
    local name=$1 file=$2
    shift 2
    "$@" > "$tmp/got" 2> "$tmp/err"
    is "$name: status" $? 0
    # the probes and their questions are those of the table, each in the manual (below)
    sed '/^Probes:$/,/^$/{/^  /d}' "$tmp/got" > "$tmp/cut"
    ok "$name: as agreed" diff "$golden/$file" "$tmp/cut"
    is "$name: nothing on stderr" "$(cat "$tmp/err")" ""
    is "$name: no line over 80 columns" "$(awk 'length($0) > 80' "$tmp/got")" ""
}

same "--help" help-program.txt "$PLATTER" --help
same "-h" help-program.txt "$PLATTER" -h
same "help" help-program.txt "$PLATTER" help
for topic in list probe plan smart show sims hdparm help; do
    same "help $topic" help-$topic.txt "$PLATTER" help $topic
done
for command in list probe plan smart show sims help; do
    same "$command --help" help-$command.txt "$PLATTER" $command --help
done
same "-t --help" help-hdparm.txt "$PLATTER" -t --help
same "--help wins over what else is there" help-probe.txt "$PLATTER" probe --help /nonexistent
like "--version" "$("$PLATTER" --version)" "^platter $(cat src/version.txt) \(document [0-9]+\.[0-9]+, plan [0-9]+\)$"

# ---- the manual against the table of options, both ways
cat "$golden"/help-{list,probe,plan,smart,show,sims,hdparm,help}.txt |
    sed -nE 's/^  +(-([A-Za-z]))?,? *(--([a-z-]+))?.*/\2\n-\4/p' | grep -vx -e '' -e - | sort -u > "$tmp/options"
ok "the help has options" test "$(wc -l < "$tmp/options")" -gt 20
missing=
while read -r option; do
    grep -qE "^\.It Fl (.*(, |Fl ))?$option( |\$)" src/cli/platter.8 || missing="$missing $option"
done < "$tmp/options"
is "every option has its place in the manual" "$missing" ""
sed -nE '/^\.Sh OPTIONS/,/^\.Sh HDPARM/s/^\.It Fl (.*)/\1/p' src/cli/platter.8 |
    sed -E 's/Ar [a-z]+//g; s/Fl//g; s/,/ /g' | tr -s ' ' '\n' | grep . | sort -u > "$tmp/manual"
is "the manual has no option that is not there" \
    "$(comm -13 "$tmp/options" "$tmp/manual" | grep -vx -e V -e -version | tr '\n' ' ')" ""
for status in 0 1 2 3 4; do
    ok "the manual explains exit status $status" grep -qx "\.It $status" src/cli/platter.8
done
"$PLATTER" help probe > "$tmp/got"
like "there are probes" "$(cat "$tmp/got")" $'\nProbes:\n  clock '
for probe in $(sed -n '/^Probes:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$tmp/got"); do
    ok "the manual explains the probe $probe" grep -qx "\.It Sy $probe" src/cli/platter.8
done

make -s B="$tmp/b" prefix=/usr "$tmp/b/platter.8" > "$tmp/make" 2>&1
like "installed elsewhere, the manual says where the schema is" "$(cat "$tmp/b/platter.8")" $'\n\\.It Pa /usr/share/platter/document\\.schema\\.json\n'
unlike "installed elsewhere, it names no other place" "$(cat "$tmp/b/platter.8")" '/usr/local'
ok "make help is the Makefile's head" test "$(make -s help | wc -l)" -gt 10
unlike "make help ends with it" "$(make -s help)" 'prefix  \?='
if command -v groff > /dev/null; then
    is "groff renders the manual without a warning" "$(groff -mdoc -Tascii -ww -z src/cli/platter.8 2>&1)" ""
else
    skip "groff renders the manual without a warning" "there is no groff"
fi
if command -v mandoc > /dev/null; then
    is "mandoc renders the manual without a warning" "$(mandoc -T lint -W warning src/cli/platter.8 2>&1)" ""
else
    skip "mandoc renders the manual without a warning" "there is no mandoc"
fi
if command -v man > /dev/null && command -v groff > /dev/null; then
    like "man shows it" "$(man -P cat -l src/cli/platter.8 2>&1 | col -b)" 'NAME'
else
    skip "man shows it" "there is no man"
fi
done_testing
