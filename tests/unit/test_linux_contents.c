/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signatures in a file that is written here byte by byte, and who uses a drive on a planted tree. No
 * root, no drive. Layouts: mkswap(8)'s header (the magic ends the first page), the DOS partition
 * table (four entries of 16 bytes from 446), UEFI 2.10's GPT, LUKS 1's header. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "host/platform.h"
#include "platform/linux/confine_calls.h"
#include "platform/linux/signatures.h"
#include "platform/linux/sysfs.h"
#include "platform/linux/use.h"

#define IMAGE_BYTES (8u << 20)
#define MIB         (1u << 20)

struct image {
	int fd;
	struct found found[64];
	size_t n;
	int status;
};

static void image_open(struct image *i)
{
	char name[] = "/tmp/platter-image-XXXXXX";

	memset(i, 0, sizeof(*i));
	i->fd = mkstemp(name);
	assert_true(i->fd >= 0);
	unlink(name);
	assert_int_equal(ftruncate(i->fd, IMAGE_BYTES), 0);
}

static void image_put(struct image *i, off_t at, const void *bytes, size_t length)
{
	assert_int_equal(pwrite(i->fd, bytes, length, at), length);
}

static void put_one(void *arg, const struct found *found)
{
	struct image *i = arg;

	assert_true(i->n < 64);
	i->found[i->n++] = *found;
}

static void image_look(struct image *i)
{
	i->n = 0;
	i->status = signatures_find(i->fd, put_one, i);
	if (i->status == -ENOSYS)
		skip();
	assert_int_equal(i->status, 0);
}

static const struct found *of_type(const struct image *i, uint32_t kind, const char *type)
{
	for (size_t k = 0; k < i->n; k++)
		if (i->found[k].kind == kind && strcmp(i->found[k].type, type) == 0)
			return &i->found[k];
	return NULL;
}

static void put_swap(struct image *i, off_t at)
{
	const unsigned char version_and_last[8] = {1, 0, 0, 0, 200, 0, 0, 0};

	image_put(i, at + 1024, version_and_last, 8);
	image_put(i, at + 4096 - 10, "SWAPSPACE2", 10);
}

static void little(unsigned char *p, uint64_t v, size_t bytes)
{
	for (size_t k = 0; k < bytes; k++)
		p[k] = (unsigned char)(v >> (8 * k));
}

/* One primary partition, from 1 MiB, 4 MiB long. */
static void put_dos_table(struct image *i)
{
	unsigned char sector[512] = {0};

	sector[446 + 4] = 0x82;
	little(sector + 446 + 8, MIB / 512, 4);
	little(sector + 446 + 12, 4 * MIB / 512, 4);
	sector[510] = 0x55;
	sector[511] = 0xAA;
	image_put(i, 0, sector, 512);
}

static void test_nothing(void **state)
{
	struct image i;

	(void)state;
	image_open(&i);
	image_look(&i);
	assert_int_equal(i.n, 0);
	close(i.fd);
}

static void test_swap(void **state)
{
	const struct found *f;
	struct image i;

	(void)state;
	image_open(&i);
	put_swap(&i, 0);
	image_look(&i);
	f = of_type(&i, FOUND_SIGNATURE, "swap");
	assert_non_null(f);
	assert_int_equal(f->partition, 0);
	assert_int_equal(f->offset, 4086);
	close(i.fd);
}

static void test_partition(void **state)
{
	const struct found *f;
	struct image i;

	(void)state;
	image_open(&i);
	put_dos_table(&i);
	put_swap(&i, MIB);
	image_look(&i);
	assert_non_null(of_type(&i, FOUND_TABLE, "dos"));
	f = of_type(&i, FOUND_PARTITION, "0x82");
	assert_non_null(f);
	assert_int_equal(f->partition, 1);
	assert_int_equal(f->start, MIB);
	assert_int_equal(f->size, 4 * MIB);
	f = of_type(&i, FOUND_SIGNATURE, "swap");
	assert_non_null(f);
	assert_int_equal(f->partition, 1);
	close(i.fd);
}

/* CRC-32 of IEEE 802.3, as UEFI uses it. */
static uint32_t crc32_of(const unsigned char *p, size_t n)
{
	uint32_t crc = ~0u;

	for (size_t i = 0; i < n; i++) {
		crc ^= p[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
	}
	return ~crc;
}

/* UEFI 2.10, 5.3: the protective table, a header at block 1 and 128 entries of 128 bytes behind it, of
 * which the first is a partition of 2 MiB from 1 MiB. The copy at the end is left out. */
static void put_gpt_in(struct image *i, uint64_t last_block, unsigned block)
{
	static const unsigned char linux_data[16] = {0xAF, 0x3D, 0xC6, 0x0F, 0x83, 0x84, 0x72, 0x47,
		0x8E, 0x79, 0x3D, 0x69, 0xD8, 0x47, 0x7D, 0xE4};
	unsigned char first[512] = {0}, header[512] = {0}, entries[128 * 128] = {0};

	first[446 + 4] = 0xEE;
	little(first + 446 + 8, 1, 4);
	little(first + 446 + 12, IMAGE_BYTES / 512 - 1, 4);
	first[510] = 0x55;
	first[511] = 0xAA;
	memcpy(entries, linux_data, 16);
	entries[16] = 1; /* its own name */
	little(entries + 32, MIB / 512, 8);
	little(entries + 40, 3 * MIB / 512 - 1, 8);
	memcpy(header, "EFI PART", 8);
	little(header + 8, 0x00010000, 4); /* revision */
	little(header + 12, 92, 4);        /* length */
	little(header + 24, 1, 8);
	little(header + 32, last_block, 8);
	little(header + 40, 34, 8);
	little(header + 48, IMAGE_BYTES / 512 - 34, 8);
	header[56] = 2; /* the disk's name */
	little(header + 72, 2, 8);
	little(header + 80, 128, 4);
	little(header + 84, 128, 4);
	little(header + 88, crc32_of(entries, sizeof(entries)), 4);
	little(header + 16, crc32_of(header, 92), 4);
	image_put(i, 0, first, 512);
	image_put(i, block, header, 512);
	image_put(i, 2 * block, entries, sizeof(entries));
}

static void put_gpt(struct image *i, uint64_t last_block)
{
	put_gpt_in(i, last_block, 512);
}

/* What size of drive a table was made for: that of this one, or of a smaller one it was copied from. */
static void test_gpt(void **state)
{
	static const uint64_t made_for[] = {IMAGE_BYTES, IMAGE_BYTES / 2};

	(void)state;
	for (size_t k = 0; k < 2; k++) {
		const struct found *f;
		struct image i;

		image_open(&i);
		put_gpt(&i, made_for[k] / 512 - 1);
		put_swap(&i, MIB);
		image_look(&i);
		f = of_type(&i, FOUND_TABLE, "gpt");
		assert_non_null(f);
		f = of_type(&i, FOUND_GPT, "gpt");
		assert_non_null(f);
		assert_int_equal(f->size, made_for[k]);
		assert_int_equal(f->start, 512);
		assert_string_equal(f->label, "whole");
		assert_string_equal(f->uuid, "missing");
		f = of_type(&i, FOUND_PARTITION, "0fc63daf-8483-4772-8e79-3d69d8477de4");
		assert_non_null(f);
		assert_int_equal(f->start, MIB);
		assert_int_equal(f->size, 2 * MIB);
		f = of_type(&i, FOUND_SIGNATURE, "swap");
		assert_non_null(f);
		assert_int_equal(f->partition, 1);
		close(i.fd);
	}
}

/* What libblkid takes for no table at all: made for a larger drive, or for other blocks. */
static void test_gpt_elsewhere(void **state)
{
	const struct found *f;
	struct image i;

	(void)state;
	image_open(&i);
	put_gpt(&i, 2 * IMAGE_BYTES / 512 - 1);
	image_look(&i);
	f = of_type(&i, FOUND_GPT, "gpt");
	assert_non_null(f);
	assert_int_equal(f->size, 2 * IMAGE_BYTES);
	assert_string_equal(f->label, "whole");
	assert_string_equal(f->uuid, "behind the end");
	close(i.fd);
	image_open(&i);
	put_gpt_in(&i, IMAGE_BYTES / 4096 - 1, 4096);
	image_look(&i);
	f = of_type(&i, FOUND_GPT, "gpt");
	assert_non_null(f);
	assert_int_equal(f->start, 4096);
	assert_int_equal(f->size, IMAGE_BYTES);
	close(i.fd);
}

/* Sums that do not fit: of the header, of the entries; with neither copy only what protects one. */
static void test_gpt_damaged(void **state)
{
	struct image i;

	(void)state;
	image_open(&i);
	put_gpt(&i, IMAGE_BYTES / 512 - 1);
	image_put(&i, 1024 + 40, "x", 1);
	image_look(&i);
	assert_non_null(of_type(&i, FOUND_GPT, "gpt"));
	assert_string_equal(of_type(&i, FOUND_GPT, "gpt")->label, "its entries are damaged");
	image_put(&i, 512 + 60, "x", 1);
	image_look(&i);
	assert_non_null(of_type(&i, FOUND_GPT, "PMBR"));
	close(i.fd);
}

/* A second owner behind an array's member, where the cautious call stops: LVM2's label, whose sum
 * counts from 0xf597a6cf. */
static void test_behind_a_member(void **state)
{
	unsigned char label[512] = "LABELONE";
	uint32_t crc = 0xf597a6cfu;
	struct image i;

	(void)state;
	label[8] = 1;
	label[20] = 32;
	memcpy(label + 24, "LVM2 001", 8);
	memset(label + 32, 'a', 32);
	for (size_t k = 20; k < 512; k++) {
		crc ^= label[k];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
	}
	little(label + 16, crc, 4);
	image_open(&i);
	put_swap(&i, 0);
	image_put(&i, 512, label, 512);
	image_look(&i);
	assert_non_null(of_type(&i, FOUND_SIGNATURE, "LVM2_member"));
	assert_non_null(of_type(&i, FOUND_SIGNATURE, "swap"));
	close(i.fd);
}

/* Two owners of one place: both are told. LUKS 1: its magic and version begin the device. */
static void test_two(void **state)
{
	static const unsigned char luks[8] = {'L', 'U', 'K', 'S', 0xBA, 0xBE, 0, 1};
	struct image i;

	(void)state;
	image_open(&i);
	put_swap(&i, 0);
	image_put(&i, 0, luks, sizeof(luks));
	image_look(&i);
	assert_non_null(of_type(&i, FOUND_SIGNATURE, "swap"));
	assert_non_null(of_type(&i, FOUND_SIGNATURE, "crypto_LUKS"));
	close(i.fd);
}

/* Random bytes behind a magic: whatever is found, nothing breaks. */
static void test_noise(void **state)
{
	unsigned char noise[65536];
	uint64_t x = 88172645463325252u;

	(void)state;
	for (unsigned round = 0; round < 20; round++) {
		struct image i;

		for (size_t k = 0; k < sizeof(noise); k++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			noise[k] = (unsigned char)x;
		}
		image_open(&i);
		image_put(&i, 0, noise, sizeof(noise));
		put_swap(&i, 0);
		put_dos_table(&i);
		image_put(&i, 512, "EFI PART", 8);
		image_look(&i);
		for (size_t k = 0; k < i.n; k++)
			assert_true(memchr(i.found[k].type, 0, sizeof(i.found[k].type)) != NULL);
		close(i.fd);
	}
}

/* Of the ioctls only those that ask for sizes reach the kernel's drivers; no program is started. */
static void test_calls(void **state)
{
	pid_t child = fork();
	int status = 0;

	(void)state;
	if (child == 0) {
		char *argv[] = {(char *)"true", NULL};
		int block, fd = open("/dev/null", O_RDONLY);

		if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
			_exit(9);
		status = confine_calls();
		if (status)
			_exit(status == -ENOSYS ? 0 : 8);
		if (ioctl(fd, BLKSSZGET, &block) == 0 || errno != ENOTTY)
			_exit(7);
		for (unsigned long request = 0; request < 0x10000; request++)
			if (request != BLKSSZGET && (ioctl(fd, request, NULL) == 0 || errno != EINVAL))
				_exit(6);
		if (ioctl(fd, BLKFLSBUF, 0) == 0 || errno != EINVAL)
			_exit(5);
		execv("/bin/true", argv);
		_exit(errno == EINVAL ? 0 : 4);
	}
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* ---- who uses it ---- */

#define DISK "/sys/devices/virtual/block/sdq"
#define MD   "/sys/devices/virtual/block/md7"
#define DM   "/sys/devices/virtual/block/dm-3"

static char tree[] = "/tmp/platter-use-XXXXXX";

static void plant(const char *path, const char *content)
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
	fputs(content, f);
	fclose(f);
}

static void plant_block(const char *dir, const char *number)
{
	char path[512], target[1024];

	snprintf(path, sizeof(path), "%s/dev", dir);
	plant(path, number);
	snprintf(target, sizeof(target), "%s%s", tree, dir);
	snprintf(path, sizeof(path), "/sys/class/block/%s", strrchr(dir, '/') + 1);
	plant(path, "");
	snprintf(path, sizeof(path), "%s/sys/class/block/%s", tree, strrchr(dir, '/') + 1);
	unlink(path);
	assert_int_equal(symlink(target, path), 0);
}

static int make_tree(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(tree));
	plant_block(DISK, "65:0");
	plant_block(DISK "/sdq1", "65:1");
	plant_block(DISK "/sdq2", "65:2");
	plant_block(MD, "9:7");
	plant_block(DM, "254:3");
	plant(DISK "/sdq1/partition", "1\n");
	plant(DISK "/sdq1/start", "2048\n");
	plant(DISK "/sdq1/size", "8192\n");
	plant(DISK "/sdq2/partition", "2\n");
	plant(DISK "/sdq2/holders/md7", "");
	plant(MD "/md/level", "raid1\n");
	plant(MD "/holders/dm-3", "");
	plant(DM "/dm/uuid", "LVM-abcdef\n");
	plant("/proc/self/mountinfo",
		"21 1 65:1 / /boot/secret rw - ext4 /dev/sdq1 rw\n"
		"22 1 254:3 / /home/secret rw - xfs /dev/mapper/secret-home rw\n");
	plant("/proc/swaps", "Filename Type Size Used Priority\n");
	sysfs_set_root(tree);
	return 0;
}

static int take_tree(void **state)
{
	char command[256];

	(void)state;
	sysfs_set_root("");
	snprintf(command, sizeof(command), "rm -rf %s", tree);
	return system(command) != 0;
}

static void test_use(void **state)
{
	struct facts f = {0};
	struct sysfs_device d;

	(void)state;
	assert_int_equal(sysfs_by_name(&d, "sdq"), 0);
	use_facts(&f, &d);
	assert_int_equal(facts_length(&f, "use"), 2);
	assert_string_equal(facts_words(&f, "use[0]"), "sdq1: mounted (ext4)");
	assert_string_equal(
		facts_words(&f, "use[1]"), "sdq2: RAID md7 (raid1): LVM dm-3: mounted (xfs)");
	facts_release(&f);
}

/* A holder that holds itself ends the climb. */
static void test_endless(void **state)
{
	struct facts f = {0};
	struct sysfs_device d;

	(void)state;
	plant(DM "/holders/dm-3", "");
	assert_int_equal(sysfs_by_name(&d, "dm-3"), 0);
	use_facts(&f, &d);
	assert_true(facts_length(&f, "use") >= 1);
	facts_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_swap),
		cmocka_unit_test(test_partition),
		cmocka_unit_test(test_gpt),
		cmocka_unit_test(test_gpt_elsewhere),
		cmocka_unit_test(test_gpt_damaged),
		cmocka_unit_test(test_behind_a_member),
		cmocka_unit_test(test_two),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_use),
		cmocka_unit_test(test_endless),
	};

	return cmocka_run_group_tests(tests, make_tree, take_tree);
}
