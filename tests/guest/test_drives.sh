#!/bin/bash
# What platter says of emulated drives of each kind is held against what smartctl, hdparm, nvme, sg_vpd
# and lsblk say of them, field by field, and what it sent them against what it may send. One boot.
#   GUEST_KEEP=DIR keeps all that was seen there.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/guest.sh"
. "$here/../../scripts/need"
PATH=$PATH:/usr/sbin:/sbin

if ! why=$(guest_can); then
    echo "1..0"
    echo "ok 1 - drives in a guest # SKIP $why"
    exit 0
fi
if [ -n "${GUEST_KEEP:-}" ]; then
    dir=$GUEST_KEEP
    mkdir -p "$dir"
else
    dir=$(mktemp -d) || exit 2
    trap 'rm -rf "$dir"' EXIT
fi
cp "$here/inside.sh" "$dir/"
cp "$PLATTER" "$dir/platter"

args=()
nodes=0
node() { # NAME SIZE: a drive's content that nobody stores; BAD: a sector that cannot be read
    args+=(-blockdev "driver=null-co,node-name=$1${BAD:+-under},size=$(numfmt --from=iec "$2"),read-zeroes=on")
    [ -z "${BAD:-}" ] || args+=(-blockdev "{\"driver\":\"blkdebug\",\"node-name\":\"$1\",\"image\":\"$1-under\",
        \"inject-error\":[{\"event\":\"none\",\"iotype\":\"read\",\"errno\":5,\"sector\":$BAD}]}")
}
file() { # NAME SIZE: one that can be written, for arrays
    truncate -s "$2" "$dir/$1.img"
    args+=(-blockdev "driver=file,node-name=$1,filename=$dir/$1.img,locking=off")
}
device() { args+=(-device "$1"); }

node sata1 500G
device "ide-hd,bus=ide.0,drive=sata1,model=MODEL SATA-ONE,serial=SERIAL-SATA-1,ver=FW01,wwn=0x5000c50012345678,rotation_rate=7200,physical_block_size=4096"
BAD=2048 node sata2 32G
device "ide-hd,bus=ide.1,drive=sata2,model=MODEL SATA-TWO,serial=SERIAL-SATA-2,ver=FW02,rotation_rate=1"
node pata 40G
device piix3-ide,id=pata
device "ide-hd,bus=pata.0,drive=pata,model=MODEL PATA,serial=SERIAL-PATA,ver=FW03,rotation_rate=5400"
device virtio-scsi-pci,id=scsi
node sas1 300G
device "scsi-hd,bus=scsi.0,scsi-id=0,drive=sas1,vendor=VENDOR1,product=PRODUCT-FIFTEEN,ver=SV01,serial=SERIAL-SAS-1,wwn=0x5000c500aabbccd0,rotation_rate=15000"
node sas2 4T
device "scsi-hd,bus=scsi.0,scsi-id=1,drive=sas2,vendor=VENDOR2,product=PRODUCT-FOURKN,ver=SV02,serial=SERIAL-SAS-2,wwn=0x5000c500aabbccd4,rotation_rate=7200,logical_block_size=4096,physical_block_size=4096"
node empty 0
device "scsi-hd,bus=scsi.0,scsi-id=2,drive=empty,vendor=READER,product=CARD,removable=on"
for i in 1 2 3 4; do
    file md$i 64M
    device "scsi-hd,bus=scsi.0,scsi-id=$((i + 3)),drive=md$i,vendor=MEMBER,product=MEMBER$i,serial=MEMBER$i"
done
device pcie-root-port,id=port1,chassis=1
node nvme1 1T
device "nvme,id=nvme1,bus=port1,drive=nvme1,serial=SERIAL-NVME-1"
device pcie-root-port,id=port2,chassis=2
node nvme2 2T
device "nvme,id=nvme2,bus=port2,serial=SERIAL-NVME-2,smart_critical_warning=4"
device "nvme-ns,bus=nvme2,drive=nvme2,nsid=1,logical_block_size=4096,physical_block_size=4096"
device qemu-xhci,id=usb
node stick 16G
device "usb-storage,bus=usb.0,drive=stick,serial=SERIAL-USB-1,removable=on"
device usb-uas,bus=usb.0,id=uas
node box 1T
device "scsi-hd,bus=uas.0,scsi-id=0,lun=0,drive=box,vendor=BRIDGE,product=BOX,serial=SERIAL-UAS-1,rotation_rate=5400"
node virtual 10G
device virtio-blk-pci,drive=virtual,serial=SERIAL-VIRTIO

start=$(date +%s)
guest_run "$dir" "${GUEST_LIMIT:-300}" "${args[@]}"
status=$?
if [ $status -ne 0 ]; then
    echo "not ok 1 - a guest with drives of each kind (status $status)"
    tail -n 20 "$dir/console" "$dir/qemu.log" "$dir/out" 2> /dev/null | sed 's/^/# /'
    exit 1
fi
echo "# the guest ran for $(($(date +%s) - start)) s"
"$(python_with json)" "$here/compare.py" "$dir"
