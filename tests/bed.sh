# shellcheck shell=bash
# Sourced after tests/tap.sh by tests that need simulated drives as block devices (scripts/bed).
#
#   bed_need             ends the file as skipped when this machine cannot have them
#   bed_up NAME ARGS…    as `scripts/bed up`; the device in $dev, its files in $dir
#   bed_down NAME
#   image_up FILE [LOSETUP OPTION…]   a plain loop device in $dev, detached at the end
#   $prober              goes before platter in timed tests: real-time priority where allowed
export BED_DIR=/run/platter-bed B
bed_names=() bed_loops=()
# shellcheck disable=SC2034
prober=$(chrt -f 10 echo "chrt -f 10" 2> /dev/null)
beddrive=$B/tests/device/beddrive
case $beddrive in /*) ;; *) beddrive=$PWD/$beddrive ;; esac

bed_need() {
    [ "$(id -u)" = 0 ] || skip_all "needs root"
    [ -e /dev/loop-control ] || modprobe loop 2> /dev/null || skip_all "there are no loop devices here"
    [ -e /dev/fuse ] || modprobe fuse 2> /dev/null || [ -d /sys/module/fuse ] ||
        grep -qw fuse /proc/filesystems || skip_all "there is no FUSE here"
    [ -x "$beddrive" ] || skip_all "the bed is not built (make bed)"
    [ -x "$PLATTER" ] || skip_all "platter is not built (make)"
}

bed_cleanup() {
    local n d
    for n in "${bed_names[@]}"; do scripts/bed down "$n"; done
    for d in "${bed_loops[@]}"; do losetup -d "$d" 2> /dev/null; done
}
# shellcheck disable=SC2034
tap_cleanup=bed_cleanup

# shellcheck disable=SC2034
bed_up() {
    local name=t$$-$1
    shift
    dev=$(scripts/bed up "$name" "$@") || return 1
    bed_names+=("$name")
    dir=$BED_DIR/$name
}

bed_down() { scripts/bed down "t$$-$1"; }

image_up() {
    local file=$1
    shift
    dev=$(losetup --find --show "$@" "$file") || return 1
    bed_loops+=("$dev")
}

bed_stat() { jq -r ".$1" "$dir/stats"; }
