#!/bin/bash
# A bare Debian, made from this machine's own package sources, and in it the two commands: quickstart
# (on a simulated drive) and scripts/test (what needs no device). Shows that the scripts install
# all that is wanted and nothing is needed that only this machine has.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
[ "$(id -u)" = 0 ] || skip_all "needs root"
for c in mmdebstrap unshare chroot git; do
    command -v $c > /dev/null || skip_all "$c is not installed"
done
[ -r /etc/debian_version ] || skip_all "this is no Debian"
release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
[ -n "$release" ] || skip_all "this Debian has no release name"

root=$tmp/root log=$tmp/log

# sources, and what says how to fetch, as this machine has them
sources=()
for f in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
    [ ! -s "$f" ] || sources+=("$f")
done
options=()
for f in /etc/apt/apt.conf /etc/apt/apt.conf.d/*; do
    if [ -s "$f" ] && grep -qiE '^[[:space:]]*acquire::(http|https|check|retries|by-hash)' "$f"; then
        options+=("--aptopt=$f")
    fi
done
if ! timeout 300 mmdebstrap --mode=root --variant=minbase "${options[@]}" "$release" "$root" \
    "${sources[@]}" > "$log" 2>&1; then
    skip_all "mmdebstrap could not make a bare $release: $(grep -m1 '^E:' "$log" | tr -d '#' |
        sed -E 's#[a-z]+://[^ ]+#(address)#g')"
fi

# the tree as it is here, built things left out
mkdir "$root/platter"
git -c safe.directory='*' ls-files -zco --exclude-standard | xargs -0r ls -d 2> /dev/null | tar -cf - -T - |
    tar -xf - -C "$root/platter"

# mounts of its own, which end with the command
inside() { # COMMAND…
    # shellcheck disable=SC2016
    unshare --mount --fork bash -c '
        mkdir -p "$1/dev/pts" && ln -sf pts/ptmx "$1/dev/ptmx"
        mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts"
        mount -t proc proc "$1/proc" && mount -t sysfs -o ro sysfs "$1/sys" && mount -t tmpfs tmpfs "$1/dev/shm" 2> /dev/null
        shift_root=$1; shift
        exec chroot "$shift_root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb \
            ${http_proxy:+http_proxy=$http_proxy} ${https_proxy:+https_proxy=$https_proxy} \
            sh -c "cd /platter && exec \"\$@\"" sh "$@"' bash "$root" "$@" < /dev/null
}

nok "the bare $release has no compiler" inside sh -c 'command -v gcc'
inside timeout 600 scripts/quickstart sim:hts725050a9a362 > "$tmp/out" 2> "$tmp/err"
is "quickstart ends well" $? 0
out=$(cat "$tmp/out")
like "quickstart shows a rate" "$out" 'MB/s'
like "quickstart says the drive is simulated" "$out" '(SIMULATED|[Ss]imulated)'
like "quickstart told what it installed" "$(cat "$tmp/err")" 'installing: .*gcc'

inside timeout 300 scripts/quickstart > "$tmp/out" 2> "$tmp/err"
is "quickstart without a drive ends well" $? 0
like "quickstart says that it shows a simulated drive" "$(cat "$tmp/out")" 'showing a simulated drive'
unlike "quickstart installs nothing the second time" "$(cat "$tmp/err")" 'installing'

inside timeout 1500 scripts/test layers pure size unit truth cli > "$tmp/out" 2>&1
rc=$?
is "scripts/test ends well" $rc 0
if [ $rc != 0 ]; then # what failed, not to be counted again
    grep -vE '^(ok|  CC|  skipped:)' "$tmp/out" | tail -80 | sed 's/^/# /; s/not ok/not-ok/; s/ ok / o-k /'
fi
like "and its last line counts" "$(tail -1 "$tmp/out")" '^[0-9]+ passed, 0 failed, [0-9]+ skipped$'
done_testing
