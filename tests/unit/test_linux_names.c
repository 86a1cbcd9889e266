/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that are not a block device, and what sysfs says of drives, on a planted tree. No root, no
 * drive. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "host/platform.h"
#include "platform/linux/backing.h"
#include "platform/linux/clock_linux.h"
#include "platform/linux/identity_sysfs.h"
#include "platform/linux/power.h"
#include "platform/linux/queue_limits.h"
#include "platform/linux/sentences.h"
#include "platform/linux/sysfs.h"
#include "platform/linux/witness_linux.h"

#define PCI "/sys/devices/pci0000:00/0000:00:1f.2"
#define SDA PCI "/ata1/host0/target0:0:0/0:0:0:0/block/sda"
#define USB "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-2/1-2:1.0/host6/target6:0:0/6:0:0:0"
#define SDB USB "/block/sdb"
#define NVM "/sys/devices/pci0000:00/0000:01:00.0/nvme/nvme0/nvme0n1"
#define MD0 "/sys/devices/virtual/block/md0"
#define DM0 "/sys/devices/virtual/block/dm-0"
#define LP0 "/sys/devices/virtual/block/loop0"
#define LP1 "/sys/devices/virtual/block/loop1"
#define VIRTUAL "/sys/devices/virtual/block/"

static char tree[] = "/tmp/platter-tree-XXXXXX";

static void plant_bytes(const char *path, const void *bytes, size_t length)
{
	char full[1024];
	FILE *f;

	snprintf(full, sizeof(full), "%s%s", tree, path);
	for (char *c = full + strlen(tree) + 1; *c; c++) {
		if (*c != '/')
			continue;
		*c = 0;
		mkdir(full, 0755);
		*c = '/';
	}
	f = fopen(full, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, length, f), length);
	fclose(f);
}

static void plant(const char *path, const char *text)
{
	plant_bytes(path, text, strlen(text));
}

static void plant_link(const char *path, const char *to)
{
	char full[1024], target[1024];

	plant(path, "");
	snprintf(full, sizeof(full), "%s%s", tree, path);
	snprintf(target, sizeof(target), "%s%s", tree, to);
	unlink(full);
	assert_int_equal(symlink(target, full), 0);
}

/* A block device's directory and the links to it. */
static void plant_block(const char *dir, const char *number, const char *sectors)
{
	const char *name = strrchr(dir, '/') + 1;
	char path[1024];

	snprintf(path, sizeof(path), "%s/dev", dir);
	plant(path, number);
	snprintf(path, sizeof(path), "%s/size", dir);
	plant(path, sectors);
	snprintf(path, sizeof(path), "/sys/class/block/%s", name);
	plant_link(path, dir);
	snprintf(path, sizeof(path), "/sys/dev/block/%s", number);
	plant_link(path, dir);
	if (strcmp(name, "sda1") == 0 || strcmp(name, "sda2") == 0)
		return;
	snprintf(path, sizeof(path), "/sys/block/%s", name);
	plant_link(path, dir);
}

static void plant_sda(void)
{
	static const char page[] = "\0\x80\0\x14    S2ABCDEFG0123456";

	plant(PCI "/drivers/ahci/bind", "");
	plant_link(PCI "/driver", PCI "/drivers/ahci");
	plant_block(SDA, "8:0", "976773168\n");
	plant(SDA "/device/vendor", "ATA     \n");
	plant(SDA "/device/model", "HTS725050A9A362 \n");
	plant(SDA "/device/rev", "C70E\n");
	plant(SDA "/device/state", "running\n");
	plant(SDA "/device/queue_depth", "32\n");
	plant(SDA "/device/wwid", "naa.5000cca5f4c31234\n");
	plant_bytes(SDA "/device/vpd_pg80", page, sizeof(page) - 1);
	plant(SDA "/queue/logical_block_size", "512\n");
	plant(SDA "/queue/physical_block_size", "4096\n");
	plant(SDA "/queue/max_sectors_kb", "1280\n");
	plant(SDA "/queue/max_hw_sectors_kb", "32767\n");
	plant(SDA "/queue/max_segments", "168\n");
	plant(SDA "/queue/max_segment_size", "65536\n");
	plant(SDA "/queue/dma_alignment", "3\n");
	plant(SDA "/queue/rotational", "1\n");
	plant(SDA "/queue/read_ahead_kb", "128\n");
	plant(SDA "/queue/scheduler", "none [mq-deadline] kyber bfq\n");
	plant(SDA "/removable", "0\n");
	plant(SDA "/ro", "0\n");
	plant(SDA "/stat", " 100 5 2000 40 7 1 64 3 0 40 43\n");
	plant_block(SDA "/sda1", "8:1", "1024000\n");
	plant(SDA "/sda1/partition", "1\n");
	plant(SDA "/sda1/start", "2048\n");
	plant(SDA "/sda1/ro", "0\n");
	plant_block(SDA "/sda2", "8:2", "4096\n");
	plant(SDA "/sda2/partition", "2\n");
	plant(SDA "/sda2/start", "1026048\n");
	plant(SDA "/sda2/holders/md0", "");
}

static void plant_others(void)
{
	plant_block(SDB, "8:16", "0\n");
	plant(SDB "/device/vendor", "Generic \n");
	plant(SDB "/device/model", "Card\x01Reader  \n");
	plant(SDB "/device/scsi_level", "3\n");
	plant(SDB "/removable", "1\n");
	plant_block(NVM, "259:0", "195312500\n");
	plant(NVM "/device/model", "Some NVMe Drive\n");
	plant(NVM "/device/serial", "S9XYZ\n");
	plant(NVM "/device/firmware_rev", "2B4Q\n");
	plant(NVM "/device/transport", "pcie\n");
	plant(NVM "/wwid", "eui.0025385b71b0e1f2\n");
	plant(NVM "/queue/rotational", "0\n");
	plant(NVM "/device/state", "dead\n");
	plant_block(MD0, "9:0", "8192\n");
	plant(MD0 "/md/level", "raid1\n");
	plant(MD0 "/md/degraded", "1\n");
	plant(MD0 "/slaves/sda2", "");
	plant(MD0 "/slaves/sdc10", "");
	plant(MD0 "/slaves/sdc9", "");
	plant_block(DM0, "253:0", "8192\n");
	plant(DM0 "/dm/uuid", "LVM-abcdefgh\n");
	plant(DM0 "/dm/name", "secret-host-root\n");
	plant(DM0 "/slaves/sda1", "");
	plant_block(LP0, "7:0", "8192\n");
	plant(LP0 "/loop/backing_file", "/home/somebody/secret image\n");
	plant_block(LP1, "7:1", "0\n");
	plant("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
	plant("/proc/self/mountinfo", "22 1 8:1 / / rw shared:1 - ext4 /dev/root rw\n"
				      "23 22 0:5 / /home/some\\040body rw - tmpfs none rw\n"
				      "24 22 0:6 / /home/somebody rw master:1 - fuse.bed bed rw\n");
	plant("/proc/swaps", "Filename Type Size Used Priority\n");
}

static bool cached_below(const char *name)
{
	struct sysfs_device d;

	assert_int_equal(sysfs_by_name(&d, name), 0);
	return backing_is_cached(&d);
}

static void test_cached_below(void **state)
{
	(void)state;
	plant_block(VIRTUAL "loop2", "7:2", "8192\n");
	plant(VIRTUAL "loop2/loop/dio", "0\n");
	plant(VIRTUAL "loop2/loop/backing_file", "/image\n");
	plant_block(VIRTUAL "loop3", "7:3", "8192\n");
	plant(VIRTUAL "loop3/loop/dio", "1\n");
	plant(VIRTUAL "loop3/loop/backing_file", "/deep/image\n");
	plant_block(VIRTUAL "loop4", "7:4", "8192\n");
	plant(VIRTUAL "loop4/loop/dio", "1\n");
	plant(VIRTUAL "loop4/loop/backing_file", "/image\n");
	plant_block(VIRTUAL "dm-1", "253:1", "8192\n");
	plant(VIRTUAL "dm-1/slaves/loop4", "");
	plant(VIRTUAL "dm-1/slaves/loop2", "");
	plant_block(VIRTUAL "dm-2", "253:2", "8192\n");
	plant(VIRTUAL "dm-2/slaves/dm-2", "");
	plant("/proc/self/mountinfo", "22 1 8:1 / / rw shared:1 - ext4 /dev/root rw\n"
				      "25 22 7:2 / /deep rw - ext4 /dev/loop2 rw\n");
	assert_true(cached_below("loop2"));
	assert_true(cached_below("loop3"));  /* its file lies on loop2 */
	assert_false(cached_below("loop4"));
	assert_true(cached_below("dm-1"));
	assert_false(cached_below("dm-2"));  /* and a ring ends */
	assert_false(cached_below("sda"));
	assert_false(cached_below("sda1"));
	assert_false(cached_below("loop0")); /* a kernel that does not say */
}

static int set_up(void **state)
{
	(void)state;
	if (!mkdtemp(tree))
		return -1;
	plant_sda();
	plant_others();
	return 0;
}

static int tear_down(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", tree);
	return system(command);
}

static int rooted(void **state)
{
	(void)state;
	sysfs_set_root(tree);
	return 0;
}

static int unrooted(void **state)
{
	(void)state;
	sysfs_set_root("");
	return 0;
}

static void test_disk(void **state)
{
	struct identity id;

	(void)state;
	assert_int_equal(identity_of(&id, "sda"), 0);
	assert_string_equal(id.device_name, "/dev/sda");
	assert_string_equal(id.device_type, "disk");
	assert_string_equal(id.transport, "sata");
	assert_string_equal(id.vendor, "");
	assert_string_equal(id.model_name, "HTS725050A9A362");
	assert_string_equal(id.serial_number, "S2ABCDEFG0123456");
	assert_string_equal(id.firmware_version, "C70E");
	assert_string_equal(id.wwn, "0x5000cca5f4c31234");
	assert_string_equal(id.scheduler, "mq-deadline");
	assert_int_equal(id.size_bytes, 500107862016);
	assert_int_equal(id.logical_block_bytes, 512);
	assert_int_equal(id.physical_block_bytes, 4096);
	assert_int_equal(id.max_request_bytes, 1280 * 1024);
	assert_int_equal(id.queue_depth, 32);
	assert_int_equal(id.read_ahead_bytes, 131072);
	assert_true(id.rotating_known && id.rotating);
	assert_true(id.removable_known && !id.removable);
	assert_string_equal(id.in_use, "a partition is mounted, member of md0 (raid1)");
	assert_int_equal(identity_of(&id, "sdz"), -ENOENT);
}

static void test_partition(void **state)
{
	struct identity id;

	(void)state;
	assert_int_equal(identity_of(&id, "sda1"), 0);
	assert_string_equal(id.device_type, "partition");
	assert_string_equal(id.parent, "sda");
	assert_int_equal(id.start_bytes, 2048 * 512);
	assert_int_equal(id.size_bytes, 1024000ull * 512);
	assert_string_equal(id.model_name, "HTS725050A9A362");
	assert_string_equal(id.in_use, "mounted");
}

static void test_nvme(void **state)
{
	struct identity id;

	(void)state;
	assert_int_equal(identity_of(&id, "nvme0n1"), 0);
	assert_string_equal(id.device_type, "nvme");
	assert_string_equal(id.transport, "nvme");
	assert_string_equal(id.serial_number, "S9XYZ");
	assert_string_equal(id.firmware_version, "2B4Q");
	assert_string_equal(id.wwn, "eui.0025385b71b0e1f2");
	assert_true(id.rotating_known && !id.rotating);
}

static void test_made_of_others(void **state)
{
	struct identity id;

	(void)state;
	assert_int_equal(identity_of(&id, "md0"), 0);
	assert_string_equal(id.device_type, "md");
	assert_string_equal(id.backing, "raid1 of /dev/sda2, /dev/sdc9, /dev/sdc10");
	assert_int_equal(identity_of(&id, "dm-0"), 0);
	assert_string_equal(id.backing, "LVM volume on /dev/sda1");
	assert_int_equal(identity_of(&id, "loop0"), 0);
	assert_string_equal(id.backing, "a file on fuse.bed");
	plant(LP0 "/loop/backing_file", "/home/somebody2/x\n");
	assert_int_equal(identity_of(&id, "loop0"), 0);
	assert_string_equal(id.backing, "a file on /dev/sda1 (ext4)");
	assert_string_equal(id.transport, "");
}

static void test_text_from_drive_is_cleaned(void **state)
{
	struct identity id;

	(void)state;
	assert_int_equal(identity_of(&id, "sdb"), 0);
	assert_string_equal(id.model_name, "Card?Reader");
	assert_string_equal(id.transport, "usb");
	assert_true(id.removable);
}

/* SBC-4's page 0xB1: 1 says that nothing rotates, 0x0401 is the slowest rate that may be given. */
static void test_rotation_rate(void **state)
{
	static const struct {
		const char *page;
		size_t length;
		uint32_t rpm;
	} rows[] = {
		{"\0\xB1\0\x3C\x1C\x20", 6, 7200}, {"\0\xB1\0\x3C\0\x01", 6, 0},
		{"\0\xB1\0\x3C\0\0", 6, 0}, {"\0\xB1\0\x3C\x04\x01", 6, 1025},
		{"\0\xB1\0\x3C\xFF\xFF", 6, 0}, {"\0\xB1\0\x3C\x1C", 5, 0},
		{"\0\xB0\0\x3C\x1C\x20", 6, 0},
	};
	struct identity id;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		plant_bytes(SDA "/device/vpd_pgb1", rows[i].page, rows[i].length);
		assert_int_equal(identity_of(&id, "sda"), 0);
		assert_int_equal(id.reported_rpm, rows[i].rpm);
		assert_int_equal(identity_of(&id, "sda1"), 0);
		assert_int_equal(id.reported_rpm, rows[i].rpm);
	}
}

static enum drive_power power(const char *name)
{
	struct sysfs_device d;

	assert_int_equal(sysfs_by_name(&d, name), 0);
	return power_of(&d);
}

/* What the kernel has not put to sleep itself may sleep all the same, unless nothing in it turns. */
static void test_power(void **state)
{
	struct identity id;

	(void)state;
	plant_block(VIRTUAL "md1", "9:1", "8192\n");
	plant(VIRTUAL "md1/slaves/nvme0n1", "");
	plant(VIRTUAL "md1/queue/rotational", "1\n");
	plant_block(VIRTUAL "md2", "9:2", "8192\n");
	plant(VIRTUAL "md2/slaves/md1", "");
	plant(VIRTUAL "md2/slaves/sda1", "");
	plant(VIRTUAL "md2/slaves/md2", "");
	plant(LP0 "/queue/rotational", "0\n");
	assert_int_equal(power("loop0"), POWER_UNKNOWN); /* its file lies behind FUSE */
	plant("/proc/self/mountinfo", "22 1 8:1 / / rw shared:1 - ext4 /dev/root rw\n");
	plant(SDA "/device/power/runtime_status", "active\n");
	assert_int_equal(power("sda"), POWER_UNKNOWN);
	assert_int_equal(power("sdb"), POWER_UNKNOWN);
	assert_int_equal(power("nvme0n1"), POWER_AWAKE);
	assert_int_equal(power("md1"), POWER_AWAKE);
	assert_int_equal(power("md2"), POWER_UNKNOWN);
	plant(SDA "/device/power/runtime_status", "suspended\n");
	assert_int_equal(power("sda"), POWER_ASLEEP);
	assert_int_equal(power("sda1"), POWER_ASLEEP);
	assert_int_equal(power("md2"), POWER_ASLEEP);
	assert_int_equal(power("loop0"), POWER_ASLEEP); /* its file lies on sda1 */
	assert_int_equal(identity_of(&id, "sda"), 0);
	assert_true(id.asleep_known && id.asleep);
	assert_int_equal(identity_of(&id, "nvme0n1"), 0);
	assert_true(id.asleep_known && !id.asleep);
}

static void test_list(void **state)
{
	static const char *const wanted[] = {"/dev/dm-0", "/dev/loop0", "/dev/md0", "/dev/nvme0n1",
		"/dev/sda", "/dev/sdb", "/dev/sda1", "/dev/sda2"};
	struct drive_list list;
	struct err e;

	(void)state;
	assert_int_equal(platform_list(&list, &e), 0);
	assert_int_equal(list.n, 8);
	for (size_t i = 0; i < list.n; i++) {
		assert_string_equal(list.drives[i].identity.device_name, wanted[i]);
		assert_int_equal(list.drives[i].whole, i < 6);
	}
	assert_true(list.drives[2].failing_known && list.drives[2].failing); /* degraded */
	assert_true(list.drives[3].failing_known && list.drives[3].failing); /* dead */
	assert_true(list.drives[4].failing_known && !list.drives[4].failing);
	assert_false(list.drives[4].identity.asleep_known);
	assert_int_equal(list.drives[5].identity.size_bytes, 0); /* its medium is out */
	drive_list_release(&list);
}

/* A node that has the planted number can only be made by root; the sentences are asked directly. */
static void test_sentences_about_size(void **state)
{
	struct err e;

	(void)state;
	assert_int_equal(sentence_no_size(&e, "/dev/loop1", makedev(7, 1)), -ENOMEDIUM);
	assert_non_null(strstr(e.text, "losetup"));
	assert_int_equal(sentence_no_size(&e, "/dev/sdb", makedev(8, 16)), -ENOMEDIUM);
	assert_non_null(strstr(e.text, "no medium"));
	plant(SDB "/removable", "0\n");
	assert_int_equal(sentence_no_size(&e, "/dev/sdb", makedev(8, 16)), -EINVAL);
	assert_non_null(strstr(e.text, "520"));
	plant(SDB "/removable", "1\n");
	assert_int_equal(sentence_not_opened(&e, "/dev/sda", makedev(8, 0), -EPERM), -EPERM);
	assert_non_null(strstr(e.text, "forbids"));
	assert_int_equal(sentence_not_opened(&e, "/dev/sda", makedev(8, 0), -EBUSY), -EBUSY);
}

static void test_serials(void **state)
{
	uint64_t number;
	struct err e;

	(void)state;
	assert_int_equal(platform_device_number("serial:NOSUCH", &number, &e), -ENOENT);
	assert_null(strstr(e.text, "NOSUCH")); /* a serial number is not shown */
	assert_int_equal(platform_device_number("serial:", &number, &e), -ENOENT);
	plant(MD0 "/serial", "S9XYZ\n");
	assert_int_equal(platform_device_number("serial:S9XYZ", &number, &e), -ENOTUNIQ);
	assert_int_equal(platform_device_number("wwn:0x0", &number, &e), -ENOENT);
}

static void test_limits(void **state)
{
	struct drive_info info = {.logical_block_bytes = 4096};
	struct witness w = {0};

	(void)state;
	queue_limits_fill(&info, makedev(8, 1)); /* the queue is the whole disk's */
	assert_int_equal(info.memory_align_bytes, 512);
	assert_int_equal(info.max_request_bytes, 1280 * 1024);
	assert_int_equal(info.rotating, ROTATING_YES);
	plant(SDA "/queue/max_segments", "3\n");
	plant(SDA "/queue/dma_alignment", "4095\n");
	queue_limits_fill(&info, makedev(8, 0));
	assert_int_equal(info.max_request_bytes, 3 * 65536);
	assert_int_equal(info.memory_align_bytes, 4096);
	plant("/sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n");
	queue_limits_fill(&info, makedev(8, 0));
	assert_int_equal(info.max_request_bytes, 3 * 4096);
	queue_limits_fill(&info, makedev(99, 99));
	assert_int_equal(info.rotating, ROTATING_UNKNOWN);
	assert_int_equal(info.max_request_bytes, 131072);
	witness_read(&w, makedev(8, 1), 0);
	assert_true(w.known & WITNESS_DEVICE);
	assert_int_equal(w.device_reads, 100);
	assert_int_equal(w.device_read_bytes, 2000 * 512);
	assert_int_equal(w.device_writes, 7);
	assert_int_equal(w.device_written_bytes, 64 * 512);
}

/* The sentence names what it is and what to do. */
static void refused(const char *name, int status, const char *is, const char *hint)
{
	uint64_t number;
	struct err e = {0};

	assert_int_equal(platform_device_number(name, &number, &e), status);
	assert_int_equal(e.code, status);
	assert_non_null(strstr(e.text, is));
	assert_non_null(strstr(e.text, hint));
}

static void test_not_block_devices(void **state)
{
	char path[256], link[256];

	(void)state;
	refused("/tmp", -ENOTBLK, "directory", "findmnt");
	refused("/dev/null", -ENOTBLK, "character device", "platter list");
	refused("/dev/platter-no-such", -ENOENT, "no /dev/platter-no-such", "platter list");
	refused("/dev/null/x", -ENOENT, "no /dev/null/x", "platter list");
	snprintf(path, sizeof(path), "%s/pipe", tree);
	assert_int_equal(mkfifo(path, 0600), 0);
	refused(path, -ENOTBLK, "named pipe", "platter list");
	snprintf(path, sizeof(path), "%s/it's a file", tree);
	plant("/it's a file", "x");
	refused(path, -ENOTBLK, "regular file", "losetup --find --show --read-only '");
	snprintf(link, sizeof(link), "%s/link", tree);
	assert_int_equal(symlink("/dev/platter-no-such", link), 0);
	refused(link, -ENOENT, "link", "unplugged");
}

static void test_clocks_and_host(void **state)
{
	struct host_facts facts;
	char now[21];
	uint64_t before = platform_now_ns();

	(void)state;
	platform_utc_now(now, sizeof(now));
	assert_int_equal(strlen(now), 20);
	assert_true(now[4] == '-' && now[10] == 'T' && now[19] == 'Z');
	assert_true(platform_now_ns() >= before && before > 0);
	/* the kernel corrects by 10 % of the tick and 500 ppm at most */
	assert_true(clock_error_ratio() >= 5e-6 && clock_error_ratio() <= 0.101);
	platform_host(&facts);
	assert_int_equal(strncmp(facts.kernel, "Linux ", 6), 0);
	assert_true(facts.cpus > 0 && facts.memory_bytes > (1u << 20));
	assert_true(facts.cpu[0] && facts.machine[0]);
}

static void test_start_and_stop(void **state)
{
	struct platform *p;
	struct drive *d;
	struct err e;

	(void)state;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(platform_start(&p, &e), 0);
		assert_int_equal(platform_open(p, "/tmp", DRIVE_DIRECT, &d, &e), -ENOTBLK);
		assert_null(d);
		platform_stop(p);
	}
	platform_stop(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_disk, rooted, unrooted),
		cmocka_unit_test_setup_teardown(test_partition, rooted, unrooted),
		cmocka_unit_test_setup_teardown(test_nvme, rooted, unrooted),
		cmocka_unit_test_setup_teardown(test_made_of_others, rooted, unrooted),
		cmocka_unit_test_setup_teardown(test_text_from_drive_is_cleaned, rooted, unrooted),
		cmocka_unit_test_setup_teardown(test_rotation_rate, rooted, unrooted),
		cmocka_unit_test_setup_teardown(test_list, rooted, unrooted),
		cmocka_unit_test_setup_teardown(test_sentences_about_size, rooted, unrooted),
		cmocka_unit_test_setup_teardown(test_serials, rooted, unrooted),
		cmocka_unit_test_setup_teardown(test_limits, rooted, unrooted),
		cmocka_unit_test_setup_teardown(test_power, rooted, unrooted),
		cmocka_unit_test_setup_teardown(test_cached_below, rooted, unrooted),
		cmocka_unit_test(test_not_block_devices),
		cmocka_unit_test(test_clocks_and_host),
		cmocka_unit_test(test_start_and_stop),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
