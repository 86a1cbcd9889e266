# shellcheck shell=bash
# Sourced: a throw-away machine under QEMU that sees this machine's own files, read-only, and a
# folder of its own to write to. Nothing is installed in it: an initramfs of busybox and the modules
# for 9p mounts the host's root, enters it and runs a script there.
#   guest_can            why it cannot be done here, on stdout; status 1 then
#   guest_run DIR LIMIT_S [QEMU ARGUMENT…]
#       runs DIR/inside.sh as root; its working directory is DIR. The script's output is DIR/out, the
#       console DIR/console, the kernel's log DIR/dmesg. Its status, or 124: no end within LIMIT_S;
#       125: the machine died.

guest_kernel() { # the newest version of which there are a kernel and modules
    local v
    for v in $(find /lib/modules -mindepth 1 -maxdepth 1 -printf '%f\n' 2> /dev/null | sort -Vr); do
        [ -r "/boot/vmlinuz-$v" ] && [ -d "/lib/modules/$v/kernel" ] && { echo "$v"; return; }
    done
    return 1
}

guest_can() {
    local c
    for c in qemu-system-x86_64 busybox cpio modprobe depmod; do
        PATH=$PATH:/usr/sbin:/sbin command -v $c > /dev/null || { echo "no $c here"; return 1; }
    done
    [ "$(uname -m)" = x86_64 ] || { echo "the guest is an x86_64 machine, this is none"; return 1; }
    guest_kernel > /dev/null || { echo "no kernel with modules in /boot (linux-image-amd64)"; return 1; }
    if ldd "$(command -v busybox)" > /dev/null 2>&1; then
        echo "busybox is not the static one (busybox-static)"
        return 1
    fi
}

guest_initramfs() { # DIR KERNEL-VERSION
    local root=$1/initramfs m f
    mkdir -p "$root"/{bin,proc,sys,dev,host,exchange}
    cp "$(command -v busybox)" "$root/bin/busybox"
    : > "$root/modules"
    for m in virtio_pci 9pnet_virtio 9p; do
        while read -r _ f; do
            [ -e "$root/${f##*/}" ] && continue
            cp "$f" "$root/" && echo "/${f##*/}" >> "$root/modules"
        done < <(PATH=$PATH:/usr/sbin:/sbin modprobe -S "$2" --show-depends "$m" 2> /dev/null | grep ^insmod)
    done
    cat > "$root/init" << 'INIT'
#!/bin/busybox sh
b=/bin/busybox
$b mount -t proc proc /proc
$b mount -t sysfs sys /sys
$b mount -t devtmpfs dev /dev
while read -r m; do case $m in *.xz) $b xz -dc "$m" > /m.ko; m=/m.ko ;; esac; $b insmod $m; done < /modules
o=trans=virtio,version=9p2000.L,msize=512000
$b mount -t 9p -o $o,ro,cache=loose hostroot /host || echo "guest: no host files"
for d in proc sys dev; do $b mount -o rbind /$d /host/$d; done
$b mount -t tmpfs tmp /host/tmp
$b mount -t tmpfs run /host/run
$b mount -t 9p -o $o,cache=none exchange /host/mnt || echo "guest: no exchange folder"
$b mount -t tracefs none /host/sys/kernel/tracing 2> /dev/null
cat > /host/tmp/start << 'START'
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH HOME=/tmp LC_ALL=C
cd /mnt
bash ./inside.sh > out 2>&1
echo $? > status
dmesg > dmesg
START
$b chroot /host /bin/sh /tmp/start
$b sync
$b poweroff -f
INIT
    sed -i 's|^cat >|/bin/busybox cat >|' "$root/init"
    chmod +x "$root/init"
    (cd "$root" && find . | cpio -o -H newc --quiet) > "$1/initramfs.cpio"
    rm -rf "$root"
}

guest_run() {
    local dir limit=$2 version
    dir=$(realpath "$1")
    shift 2
    version=$(guest_kernel) || return 125
    guest_initramfs "$dir" "$version"
    rm -f "$dir/status"
    timeout -k 5 "$limit" qemu-system-x86_64 -nodefaults -no-user-config -display none -no-reboot \
        -machine q35,accel=tcg -cpu max -smp 2 -m 768 \
        -kernel "/boot/vmlinuz-$version" -initrd "$dir/initramfs.cpio" \
        -append "console=ttyS0 quiet panic=-1 mitigations=off audit=0 random.trust_cpu=on rdinit=/init" \
        -chardev "file,id=console,path=$dir/console" -serial chardev:console \
        -fsdev local,id=host,path=/,security_model=none,readonly=on,multidevs=remap \
        -device virtio-9p-pci,fsdev=host,mount_tag=hostroot \
        -fsdev "local,id=exchange,path=$dir,security_model=none" \
        -device virtio-9p-pci,fsdev=exchange,mount_tag=exchange \
        "$@" > "$dir/qemu.log" 2>&1 < /dev/null
    case $? in 124 | 137) return 124 ;; esac
    [ -s "$dir/status" ] || return 125
    return "$(cat "$dir/status")"
}
