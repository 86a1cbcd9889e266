#!/bin/bash
# check-pure must find what is planted in an object file of a pure folder and name it, and must pass
# the objects as they are. Planted in a small tree: one file of the folder base.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh

tree=$tmp/tree
mkdir -p "$tree/build/src/base" "$tree/src/base"
cp -r scripts "$tree"
cp src/base/err.[ch] src/base/text.[ch] src/base/mem.[ch] "$tree/src/base"
compile() { # FILE [FLAG…]
    local file=$1
    shift
    ${CC:-gcc} -std=c11 -O1 -D_GNU_SOURCE -I"$tree/src" "$@" -c "$tree/$file" -o "$tree/build/${file%.c}.o"
}
check() { B=build "$tree/scripts/check-pure" base; }

plant() { # NAME CODE EXPECTED [FLAG…]
    local name=$1 code=$2 want=$3 printed rc
    shift 3
    cp "$tree/src/base/err.c" "$tmp/kept.c"
    cp "$tree/build/src/base/err.o" "$tmp/kept.o"
    printf '%s\n' "$code" >> "$tree/src/base/err.c"
    compile src/base/err.c "$@" 2> "$tmp/compiler" || cat "$tmp/compiler"
    printed=$(check 2>&1)
    rc=$?
    is "$name: check-pure fails" $rc 1
    like "$name: and names it" "$printed" "$want"
    cp "$tmp/kept.c" "$tree/src/base/err.c"
    cp "$tmp/kept.o" "$tree/build/src/base/err.o"
}
for f in "$tree"/src/base/*.c; do compile "${f#"$tree/"}"; done
ok "nothing planted: passes" check

# ---- calls
plant "puts, as the compiler makes of printf" '#include <stdio.h>
void planted(void); void planted(void) {printf("x\n");}' 'err\.o: calls (.* )?puts'
plant "a fortified printf" '#include <stdio.h>
void planted(int n); void planted(int n) {printf("%d", n);}' 'err\.o: calls (.* )?printf' -O2 -D_FORTIFY_SOURCE=2
# many calls in one object, declared by hand; each must be named
names='timespec_get clock_gettime time gettimeofday syscall read pread write open gethostname getpid
getuid uname getenv exit _exit raise kill signal sleep sched_yield usleep rand random getrandom
getentropy fputs_unlocked putc_unlocked fopen fread localtime gmtime strftime strerror setlocale
strcoll nl_langinfo pthread_create pthread_self mmap dlsym popen system fork sysconf json_load_file
json_dumpf session_start platform_now_ns'
for f in $names; do echo "long $f(); long planted_$f(void); long planted_$f(void) {return 1 + $f();}"; done > "$tree/src/base/planted.c"
compile src/base/planted.c -w -fno-builtin
printed=$(check 2>&1)
for f in $names; do like "$f is named" "$printed " "planted\.o: calls (.* )?$f "; done
rm "$tree/src/base/planted.c" "$tree/build/src/base/planted.o"
plant "the environment as a variable" 'extern char **environ; char *planted(void); char *planted(void) {return environ[0];}' 'calls (.* )?environ'
plant "stderr as a variable" '#include <stdio.h>
FILE *planted(void); FILE *planted(void) {return stderr;}' 'calls (.* )?stderr'
plant "a function only pointed at" 'int rand(void); extern int (*const planted)(void); int (*const planted)(void) = rand;' 'calls (.* )?rand'

# ---- state
state() { plant "$1" "$2" "writable static $3"; }
state "a static counter" 'int planted(void); int planted(void) {static int counter; return ++counter;}' '(planted\.)?counter.* in \.bss'
state "a static with a value" 'int planted(void); int planted(void) {static int filled = 7; return ++filled;}' '(planted\.)?filled.* in \.data'
state "a global" 'int planted_global;' 'planted_global'
plant "a global that may stand twice" 'int planted_global;' 'writable static planted_global in the common section' -fcommon
state "a global with a value" 'int planted_global = 3;' 'planted_global in \.data'
state "a variable of each thread" 'int planted(void); int planted(void) {static _Thread_local int mine; return ++mine;}' '(planted\.)?mine.* in \.tbss'
state "one with a value" '_Thread_local int planted_mine = 2;' 'planted_mine in \.tdata'
state "a table of pointers that may be changed" 'extern const char *planted[2]; const char *planted[2] = {"a", "b"};' 'planted in \.data'
state "a section of its own" '__attribute__((section("pocket"))) int planted = 4;' 'planted in pocket'
state "behind a constant pointer" 'int *const planted = &(int){3};' '.* in \.data'
state "code before main" '__attribute__((constructor)) static void early(void) {__builtin_trap();}' '.* in \.(init_array|ctors)'
plant "a counter in sanitized code" 'int planted(void); int planted(void) {static int counter; return ++counter;}' 'writable static (planted\.)?counter' -fsanitize=address,undefined
plant "a system call by instruction" 'long planted(void); long planted(void) {long r = 39; __asm__ volatile("" : "+r"(r)); return r;}' 'machine code of its own'

# ---- objects that are not there
compile src/base/err.c -fsanitize=address,undefined
ok "sanitized, nothing planted: passes" check
compile src/base/err.c
mv "$tree/build/src/base/text.o" "$tmp"
like "one object is missing" "$(check 2>&1)" 'src/base/text\.c: not built'
nok "one object is missing: fails" check
mv "$tmp/text.o" "$tree/build/src/base"
like "no object at all" "$(B=nowhere "$tree/scripts/check-pure" base 2>&1)" 'found no object file'
nok "no object at all fails" env B=nowhere "$tree/scripts/check-pure" base
ok "all taken away again: passes" check
done_testing
