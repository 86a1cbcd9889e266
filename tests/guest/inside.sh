# Inside the guest: has each program look at each drive, one file of output each.
# DIR/seen/DRIVE.PROGRAM; DIR/trace.PROGRAM-ARGUMENTS: the commands the kernel sent meanwhile.
mount -t debugfs none /sys/kernel/debug 2> /dev/null
modprobe loop max_loop=8
modprobe -a ahci ata_piix sd_mod sg virtio_scsi virtio_blk nvme xhci_pci uas usb-storage raid0 raid1 raid10
modprobe scsi_debug dev_size_mb=16 inq_vendor=MADE-UP inq_product=PROTECTED dif=2 sector_size=512 \
    physblk_exp=3 lowest_aligned=7
for _ in $(seq 100); do
    [ "$(ls -d /sys/block/*/device 2> /dev/null | wc -l)" -ge 16 ] && break
    sleep 0.1
done
mkdir -p seen
by_model() { grep -ls "^$1" /sys/block/*/device/model | cut -d/ -f4; }
m() { echo "/dev/$(by_model "MEMBER$1")"; }
mdadm --create /dev/md1 --run --assume-clean --level=1 --raid-devices=2 --metadata=1.2 "$(m 1)" "$(m 2)"
mdadm --create /dev/md0 --run --assume-clean --level=0 --raid-devices=2 --metadata=1.2 "$(m 3)" "$(m 4)"
for i in 1 2 3 4; do
    truncate -s 16M /tmp/$i
    losetup /dev/loop$i /tmp/$i
done
mdadm --create /dev/md10 --run --assume-clean --level=10 --raid-devices=4 --metadata=1.2 /dev/loop[1-4]

T=/sys/kernel/tracing
traced() { # NAME COMMAND…
    local name=$1
    shift
    echo > $T/trace
    echo 1 > $T/tracing_on
    "$@"
    echo 0 > $T/tracing_on
    cat $T/trace > "trace.$name"
}
echo 0 > $T/tracing_on
echo 1 > $T/events/scsi/scsi_dispatch_cmd_start/enable
echo 1 > $T/events/nvme/nvme_setup_cmd/enable

traced list ./platter list --json > seen/list
./platter list > seen/list.text
lsblk --json --bytes -O > seen/lsblk
for path in /sys/block/sd* /sys/block/nvme* /sys/block/vd* /sys/block/md*; do
    d=${path##*/}
    traced "smart.$d" ./platter smart --json --show-serial "/dev/$d" > "seen/$d.platter" 2> "seen/$d.platter.err"
    case $d in
    sd*) smartctl --json -x "/dev/$d" > "seen/$d.smartctl"
        [ "$(cat "$path/device/vendor")" = "ATA     " ] && hdparm -I "/dev/$d" > "seen/$d.hdparm" 2> /dev/null
        sg_vpd --page=di "/dev/$d" > "seen/$d.vpd83" 2> /dev/null
        sg_vpd --page=bdc "/dev/$d" > "seen/$d.vpdb1" 2> /dev/null ;;
    nvme*) smartctl --json -x "/dev/$d" > "seen/$d.smartctl"
        nvme id-ctrl -o json "/dev/$d" > "seen/$d.idctrl"
        nvme smart-log -o json "/dev/$d" > "seen/$d.smartlog" ;;
    esac
    for f in size queue/logical_block_size device/vendor device/model; do
        echo "$f $(cat "$path/$f" 2> /dev/null)"
    done > "seen/$d.sysfs"
done
./platter smart "/dev/$(by_model 'MODEL SATA-ONE')" > seen/text.sata 2>&1
cut -d' ' -f1 /proc/uptime > uptime
exit 0
