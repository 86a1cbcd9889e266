#!/bin/bash
# check-size must find a function of 81 lines wherever its brace stands, and a file of 601.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
tree=$tmp/tree
mkdir -p "$tree/src/base" "$tree/platform" "$tree/tests" "$tree/scripts"
check() { scripts/check-size "$tree"; }
lines() { for ((i = 0; i < $1; i++)); do echo "	n++;"; done; }

with() { # NAME FILE HEAD LINES TAIL EXPECTED: "" is to pass
    local printed rc
    { [ -z "$3" ] || printf '%s\n' "$3"; lines "$4"; [ -z "$5" ] || printf '%s\n' "$5"; } > "$tree/$2"
    printed=$(check 2>&1)
    rc=$?
    is "$1: status" $rc "$([ -n "$6" ] && echo 1 || echo 0)"
    like "$1: what is said" "$printed" "${6:-^$}"
    rm "$tree/$2"
}

with "80 lines" src/base/a.c $'int f(int n)\n{' 77 '}' ''
with "81 lines" src/base/a.c $'int f(int n)\n{' 78 '}' 'src/base/a\.c:1: function of 81 lines'
with "the brace on the line of the name" src/base/a.c 'int f(int n) {' 79 '}' 'a\.c:1: function of 81 lines'
with "the same, 80 lines" src/base/a.c 'int f(int n) {' 78 '}' ''
with "an indented brace" src/base/a.c $'int f(int n)\n  {' 78 '  }' 'a\.c:1: function of 81'
with "a head of three lines counts" src/base/a.c $'int\nf(int n)\n{' 77 '}' 'a\.c:1: function of 81'
with "the end behind code" src/base/a.c $'int f(int n) {' 79 'return n; }' 'function of 81'
with "two functions are two" src/base/a.c $'int g(int n)\n{\n\treturn n;\n}\n\nint f(int n)\n{' 77 '}' ''
with "a brace in a string" src/base/a.c $'int f(int n) {\n\tputs("}");' 78 '}' 'function of 81'
with "a brace in a character" src/base/a.c $'int f(int n) {\n\tputc(\'}\', s);' 78 '}' 'function of 81'
with "a brace in a comment" src/base/a.c $'int f(int n) {\n\t/* } */ // }' 78 '}' 'function of 81'
with "a brace in a comment of two lines" src/base/a.c $'int f(int n) {\n\t/* }\n } */' 77 '}' 'function of 81'
with "braces in directives" src/base/a.c $'int f(int n) {\n#ifdef X\n#define E }\n#endif' 76 '}' 'function of 81'
with "digraphs" src/base/a.c 'int f(int n) <%' 79 '%>' 'function of 81'
with "in a header" src/base/a.h 'static inline int f(int n) {' 79 '}' 'a\.h:1: function of 81'
with "in a test" tests/a.c 'int f(int n) {' 79 '}' 'tests/a\.c:1: function of 81'
with "a macro" src/base/a.c "$(printf '#define M(n) \\\n'; for ((i = 0; i < 80; i++)); do printf 'n++; \\\n'; done)" 1 '' 'directive of'
with "a long table is no function" src/base/a.c 'static const struct row table[] = {' 100 '};' ''
with "a long table of calls is none" src/base/a.c 'static const int table[COUNT(3)] = {' 100 '};' ''
with "a long struct is none" src/base/a.h 'struct s {' 100 '};' ''
with "600 lines" src/base/a.c 'int a = 1;' 599 '' ''
with "601 lines" src/base/a.c 'int a = 1;' 600 '' 'src/base/a\.c: 601 lines, at most 600'
done_testing
