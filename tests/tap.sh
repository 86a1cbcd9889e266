# shellcheck shell=bash
# Sourced by tests written in shell; they print TAP, which scripts/run-tests counts.
#
#   ok NAME COMMAND…     the command must succeed; what it printed is shown when it does not
#   nok NAME COMMAND…    the command must fail
#   is NAME GOT WANT     two strings must be the same
#   like NAME GOT REGEX  GOT must match (bash's =~)
#   unlike NAME GOT REGEX
#   status NAME WANT COMMAND…   exit status; leaves stdout in $out and stderr in $err
#   skip NAME WHY        not run, and why
#   skip_all WHY         nothing of this file can be run: ends it
#   done_testing         last line: the plan, and the exit status
#
# $PLATTER is the program, $B the build directory, $tmp a directory that is removed at the end.
set -u
: "${B:=build}"
: "${PLATTER:=$(realpath -m "$B")/platter}"
export LC_ALL=${TEST_LC_ALL:-C} PATH=$PATH:/usr/sbin:/sbin
unset NO_COLOR
tap_n=0 tap_bad=0
tmp=$(mktemp -d) || exit 2
tap_cleanup=:
trap '$tap_cleanup; rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

tap_say() { # PASSED NAME [DETAILS…]
    local passed=$1 name=$2 line
    shift 2
    tap_n=$((tap_n + 1))
    if [ "$passed" = 0 ]; then
        echo "ok $tap_n - $name"
        return 0
    fi
    tap_bad=$((tap_bad + 1))
    echo "not ok $tap_n - $name"
    for line in "$@"; do
        printf '%s\n' "$line" | head -60 | sed 's/^/#   /'
    done
    return 1
}

ok() {
    local name=$1 printed rc
    shift
    printed=$("$@" 2>&1)
    rc=$?
    tap_say $rc "$name" "status $rc: $*" "$printed"
}

nok() {
    local name=$1 printed
    shift
    if printed=$("$@" 2>&1); then tap_say 1 "$name" "succeeded: $*" "$printed"; else tap_say 0 "$name"; fi
}

is() {
    if [ "$2" = "$3" ]; then tap_say 0 "$1"; else tap_say 1 "$1" "got:  $2" "want: $3"; fi
}

like() {
    if [[ $2 =~ $3 ]]; then tap_say 0 "$1"; else tap_say 1 "$1" "got: $2" "does not match: $3"; fi
}

unlike() {
    if [[ $2 =~ $3 ]]; then tap_say 1 "$1" "got: $2" "matches: $3"; else tap_say 0 "$1"; fi
}

# shellcheck disable=SC2034
status() {
    local name=$1 want=$2 rc
    shift 2
    "$@" > "$tmp/status.out" 2> "$tmp/status.err"
    rc=$?
    out=$(cat "$tmp/status.out") err=$(cat "$tmp/status.err")
    if [ $rc = "$want" ]; then
        tap_say 0 "$name"
    else
        tap_say 1 "$name" "status $rc, want $want: $*" "stdout: $out" "stderr: $err"
    fi
}

skip() {
    tap_n=$((tap_n + 1))
    echo "ok $tap_n - $1 # SKIP $2"
}

skip_all() {
    skip "$(basename "$0")" "$1"
    done_testing
}

done_testing() {
    echo "1..$tap_n"
    [ $tap_bad = 0 ]
    exit
}
