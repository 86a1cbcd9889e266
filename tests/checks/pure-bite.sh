#!/bin/bash
# check-pure must find what is planted in an object file of a pure folder and name it, and must pass
# the objects as they are. Compiled here with the flags that matter, in a copy of the tree.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh

tree=$tmp/tree
mkdir -p "$tree/build/src/base"
cp -r src scripts "$tree"
compile() { # FILE
    ${CC:-gcc} -std=c11 -O1 -D_GNU_SOURCE -I"$tree/src" -c "$tree/$1" -o "$tree/build/${1%.c}.o"
}
check() { B=build "$tree/scripts/check-pure" base; }

plant() { # NAME CODE EXPECTED
    local printed
    cp "$tree/src/base/text.c" "$tmp/kept"
    printf '%s\n' "$2" >> "$tree/src/base/text.c"
    compile src/base/text.c
    printed=$(check 2>&1)
    nok "$1: check-pure fails" check
    like "$1: and names it" "$printed" "$3"
    cp "$tmp/kept" "$tree/src/base/text.c"
    compile src/base/text.c
}

for f in src/base/*.c; do compile "$f"; done
ok "nothing planted: passes" check
plant "a printf" 'int printf(const char *, ...); void planted(int n); void planted(int n) {printf("%d", n);}' 'text\.o: calls .*printf'
plant "puts, as the compiler makes of printf" 'int puts(const char *); void planted(void); void planted(void) {puts("x");}' 'text\.o: calls .*puts'
plant "a clock" '#include <time.h>
long planted(void); long planted(void) {struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec;}' 'calls .*clock_gettime'
plant "the environment" '#include <stdlib.h>
char *planted(void); char *planted(void) {return getenv("HOME");}' 'calls .*getenv'
plant "an end of the program" '#include <stdlib.h>
void planted(void); void planted(void) {exit(1);}' 'calls .*exit'
plant "a static counter" 'int planted(void); int planted(void) {static int counter; return ++counter;}' 'writable static (planted\.)?counter'
plant "a static with a value" 'int planted(void); int planted(void) {static int filled = 7; return ++filled;}' 'writable static (planted\.)?filled'
plant "a global" 'int planted_global;' 'writable static planted_global'
like "no object at all" "$(B=nowhere "$tree/scripts/check-pure" base 2>&1)" 'found no object file'
nok "no object at all fails" env B=nowhere "$tree/scripts/check-pure" base
ok "all taken away again: passes" check
done_testing
