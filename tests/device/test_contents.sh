#!/bin/bash
# What is on a drive and who uses it, on loop devices with real file systems: what mkfs wrote is found,
# what is mounted is in use, two owners of one place are both told, nothing found is not "empty", and
# labels are nobody's business.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/bed.sh
[ "$(id -u)" = 0 ] || skip_all "needs root"
[ -e /dev/loop-control ] || modprobe loop 2> /dev/null || skip_all "there are no loop devices here"
for tool in mkfs.ext4 mkswap blkid losetup; do
    command -v $tool > /dev/null || skip_all "$tool is not installed"
done

mounted=
cleanup() {
    [ -z "$mounted" ] || umount "$mounted"
    bed_cleanup
}
tap_cleanup=cleanup

smart() { # …: platter smart of $dev, to $text
    text=$("$PLATTER" smart "$@" "$dev" 2> "$tmp/err")
}
le32() { printf "\\x$(printf %02x $(($1 & 255)))\\x$(printf %02x $(($1 >> 8 & 255)))\\x$(printf %02x $(($1 >> 16 & 255)))\\x$(printf %02x $(($1 >> 24)))"; }

# ---- one file system
truncate -s 64M "$tmp/ext4"
mkfs.ext4 -q -L holiday-pictures "$tmp/ext4"
image_up "$tmp/ext4" || exit 1
smart
like "the file system is found" "$text" 'holds +ext4'
unlike "its label is not told" "$text" holiday
smart --full-identity
like "unless that is asked for" "$text" holiday
is "libblkid's own word" "$(blkid -p -o value -s TYPE "$dev")" ext4
mkdir "$tmp/secret-place"
if mount -r "$dev" "$tmp/secret-place" 2> /dev/null; then
    mounted=$tmp/secret-place
    smart
    like "mounted is in use" "$text" 'used by +loop[0-9]+: mounted \(ext4\)'
    unlike "where is not told" "$text" secret-place
    like "the list says so too" "$(COLUMNS=160 "$PLATTER" list | grep "^$dev ")" 'mounted \(ext4\)'
    umount "$mounted"
    mounted=
else
    skip "mounted is in use" "nothing can be mounted here"
fi

# ---- two owners of one place
printf 'LUKS\xba\xbe\x00\x01' | dd of="$dev" bs=8 conv=notrunc status=none
smart
like "both are told" "$text" 'holds +crypto_LUKS \+ ext4'
like "as a sign" "$text" 'several signatures: crypto_LUKS, ext4'

# ---- nothing
truncate -s 16M "$tmp/zeros"
image_up "$tmp/zeros" || exit 1
smart
like "nothing is \"no known signature\"" "$text" 'holds +no known signature found'
unlike "never empty" "$text" '[Ee]mpty'

# ---- a partition that begins inside a physical sector
truncate -s 64M "$tmp/table"
{
    dd if=/dev/zero bs=446 count=1 status=none
    printf '\0\0\0\0\x83\0\0\0'; le32 63; le32 65536
    printf '\0\0\0\0\x82\0\0\0'; le32 67584; le32 32768
    dd if=/dev/zero bs=32 count=1 status=none
    printf '\x55\xaa'
} | dd of="$tmp/table" conv=notrunc status=none
mkfs.ext4 -q -F -E offset=$((63 * 512)) "$tmp/table" 30M 2> /dev/null
image_up --partscan "$tmp/table" || exit 1
smart
like "a table and what its partitions hold" "$text" 'dos partition table: .*ext4'
if [ "$(cat /sys/block/"${dev#/dev/}"/queue/physical_block_size)" -gt 512 ]; then
    like "the one that is misaligned is told" "$text" 'begins at byte 32256, inside a physical sector'
else
    skip "the one that is misaligned is told" "physical sectors are 512 bytes here"
fi

# ---- a table beside a file system: two owners
truncate -s 64M "$tmp/both"
mkfs.ext4 -q "$tmp/both"
dd if="$tmp/table" of="$tmp/both" bs=512 count=1 conv=notrunc status=none
image_up "$tmp/both" || exit 1
smart
like "a table counts as an owner" "$text" 'several signatures: ext4, dos partition table'

# ---- what cannot be read: the file under the device is cut, to its half and to nothing
truncate -s 64M "$tmp/cut"
image_up "$tmp/cut" || exit 1
for left in 32M 0; do
    truncate -s $left "$tmp/cut"
    smart
    is "$left are left: status 1" $? 1
    like "$left are left: a sign" "$text" 'REJECT: reading at byte [0-9]+ failed \(Input/output error\)'
done

"$PLATTER" list --json > "$tmp/list.json"
ok "the list knows the devices too" jq -e --arg d "$dev" 'any(.drives[]; .name == $d)' "$tmp/list.json"
done_testing
