#!/bin/bash
# Commands leave for a drive from one file only, which checks each: no other names the ioctls that
# carry them, but for the list of those that an asker has left (confine_calls.c); and no library that
# sends its own is linked in a way that opens a device.
set -u
cd "$(dirname "$0")/../.." || exit 2
carriers='SG_IO|SCSI_IOCTL|HDIO_|CDROM_SEND|CDROMREADRAW|NVME_IOCTL_(ADMIN|IO|SUBMIT|RESET|RESCAN)|NVME_URING|SG_SET|BSG|MMC_IOC|BLK(DISCARD|SECDISCARD|ZEROOUT|RRPART|RESETZONE|OPENZONE)'
found=$(grep -rlE "\\b($carriers)" src platform --include='*.[ch]' | sort | tr '\n' ' ')
wanted="platform/linux/command.c platform/linux/confine_calls.c "
if [ "$found" = "$wanted" ]; then echo "ok 1 - one file sends commands"; else echo "not ok 1 - one file sends commands: $found"; fi
opened=$(grep -rnE 'sk_disk_open\(' src platform --include='*.c' | grep -vE 'sk_disk_open\(NULL')
if [ -z "$opened" ]; then echo "ok 2 - libatasmart opens nothing"; else echo "not ok 2 - libatasmart opens nothing: $opened"; fi
