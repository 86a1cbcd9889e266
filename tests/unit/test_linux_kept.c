/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the system has kept of drives, on planted trees laid out as the kernel's: a SATA disk, one
 * behind a SAS adapter, an NVMe drive, a USB disk, volumes of RAID controllers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/linux/kept.h"
#include "platform/linux/raid_volume.h"

static char tree[] = "/tmp/platter-kept-XXXXXX";

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

static void plant_in(const char *dir, const char *file, const char *text)
{
	char path[900];

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	plant_bytes(path, text, strlen(text));
}

static void plant_link(const char *path, const char *to)
{
	char full[1024], target[1024];

	plant_bytes(path, "", 0);
	snprintf(full, sizeof(full), "%s%s", tree, path);
	snprintf(target, sizeof(target), "%s%s", tree, to);
	unlink(full);
	assert_int_equal(symlink(target, full), 0);
}

/* The SCSI device's directory, the disk in it, and the links to both. */
static struct sysfs_device plant_disk(const char *device, const char *name)
{
	struct sysfs_device d;
	char dir[700], path[800];

	snprintf(dir, sizeof(dir), "%s/block/%s", device, name);
	plant_in(dir, "dev", "8:0\n");
	plant_in(dir, "size", "7814037168\n");
	plant_in(dir, "queue/logical_block_size", "512\n");
	plant_in(dir, "queue/physical_block_size", "4096\n");
	plant_in(dir, "alignment_offset", "0\n");
	plant_in(device, "timeout", "30\n");
	snprintf(path, sizeof(path), "%s/device", dir);
	plant_link(path, device);
	snprintf(path, sizeof(path), "/sys/class/block/%s", name);
	plant_link(path, dir);
	snprintf(path, sizeof(path), "/sys/block/%s", name);
	plant_link(path, dir);
	assert_int_equal(sysfs_by_name(&d, name), 0);
	return d;
}

static int set_up(void **state)
{
	(void)state;
	strcpy(tree, "/tmp/platter-kept-XXXXXX");
	if (!mkdtemp(tree))
		return -1;
	sysfs_set_root(tree);
	return 0;
}

static int tear_down(void **state)
{
	char command[128];

	(void)state;
	sysfs_set_root("");
	snprintf(command, sizeof(command), "rm -rf %.60s", tree);
	return system(command);
}

static struct facts told(const struct sysfs_device *d)
{
	struct facts facts = {0};

	kept_facts(d, &facts);
	kept_link(d, &facts);
	return facts;
}

#define PCI  "/sys/devices/pci0000:00/0000:00:1f.2"
#define SATA PCI "/ata3/host2/target2:0:0/2:0:0:0"

static void test_sata(void **state)
{
	char words[256 * 5 + 32] = "";
	struct pages pages = {0};
	struct sysfs_device d = plant_disk(SATA, "sda");
	struct facts facts;
	const struct page *p;

	(void)state;
	for (unsigned i = 0; i < 256; i++)
		snprintf(words + strlen(words), 8, "%04x%c", i == 27 ? 0x5354 : i, i % 8 == 7 ? '\n'
			: ' ');
	plant_in(PCI, "ata3/link3/dev3.0/ata_device/dev3.0/id", words);
	plant_in(PCI, "ata3/link3/dev3.0/ata_device/dev3.0/spdn_cnt", "1\n");
	plant_in(PCI, "ata3/link3/ata_link/link3/sata_spd", "3.0 Gbps\n");
	plant_in(PCI, "ata3/link3/ata_link/link3/hw_sata_spd_limit", "6.0 Gbps\n");
	plant_in(PCI, "subsystem_vendor", "0x1af4\n");
	plant_in(PCI, "vendor", "0x8086\n");
	plant_in(PCI, "device", "0x2922\n");
	plant_in("/sys/class/scsi_host/host2", "proc_name", "ahci\n");
	plant_in(SATA, "vendor", "ATA     \n");
	plant_in(SATA, "ioerr_cnt", "0x1f\n");
	plant_in(SATA, "iotmo_cnt", "0x0\n");
	plant_in(SATA, "scsi_disk/2:0:0:0/cache_type", "write back\n");
	plant_in(SATA, "block/sda/queue/rotational", "1\n");
	plant_in(SATA, "block/sda/queue/zoned", "host-aware\n");
	plant_in(SATA, "block/sda/queue/independent_access_ranges/0/sector", "0\n");
	plant_in(SATA, "block/sda/queue/independent_access_ranges/0/nr_sectors", "1000\n");
	plant_in(SATA, "block/sda/queue/independent_access_ranges/1/sector", "1000\n");
	plant_in(SATA, "block/sda/queue/independent_access_ranges/1/nr_sectors", "1000\n");
	plant_in(SATA, "hwmon/hwmon0/temp1_input", "41000\n");
	plant_bytes(SATA "/vpd_pgb1", "\0\xB1\0\x3C\x1C\x20\0\2", 8);
	plant_bytes(SATA "/inquiry", "\0\0\6\2\x1F\0\0\2", 8);
	plant_bytes(SATA "/vpd_pgzz", "\0\0", 2);
	kept_pages(&d, &pages);
	assert_int_equal(pages.n, 3);
	p = pages_answer(&pages, ASK_ATA_IDENTIFY, 0, 512);
	assert_non_null(p);
	assert_int_equal(p->length, 512);
	assert_string_equal(p->source, "sysfs");
	assert_memory_equal(p->bytes + 54, "TS", 2); /* words are little-endian */
	assert_int_equal(p->bytes[510], 0xFF);
	assert_non_null(pages_answer(&pages, ASK_SCSI_VPD, 0xB1, 8));
	assert_non_null(pages_answer(&pages, ASK_SCSI_INQUIRY, 0, 8));
	pages_release(&pages);
	facts = told(&d);
	assert_string_equal(facts_words(&facts, "interface_speed.current.string"), "3.0 Gb/s");
	assert_int_equal(facts_number(&facts, "interface_speed.current.units_per_second"), 30);
	assert_int_equal(facts_number(&facts, "interface_speed.current.bits_per_unit"), 100000000);
	assert_string_equal(facts_words(&facts, "platter.link.host_maximum"), "6.0 Gb/s");
	assert_int_equal(facts_number(&facts, "platter.link.speed_downgrades"), 1);
	assert_int_equal(facts_number(&facts, "platter.io_errors"), 31);
	assert_int_equal(facts_number(&facts, "platter.io_timeouts"), 0);
	assert_int_equal(facts_number(&facts, "platter.command_timeout_s"), 30);
	assert_int_equal(facts_number(&facts, "user_capacity.blocks"), 7814037168.0);
	assert_true(facts_number(&facts, "user_capacity.bytes") == 7814037168.0 * 512);
	assert_int_equal(facts_number(&facts, "physical_block_size"), 4096);
	assert_int_equal(facts_is(&facts, "write_cache.enabled"), 1);
	assert_string_equal(facts_words(&facts, "zoned_device.capabilities"), "host_aware");
	assert_int_equal(facts_number(&facts, "platter.independent_access_ranges"), 2);
	assert_int_equal(facts_number(&facts, "platter.access_ranges[1].start_bytes"), 512000);
	assert_string_equal(facts_words(&facts, "platter.host.driver"), "ahci");
	assert_string_equal(facts_words(&facts, "platter.host.pci_id"), "8086:2922");
	assert_null(facts_find(&facts, "platter.raid_volume"));
	/* to read a sensor would be to send the drive a command */
	assert_null(facts_find(&facts, "temperature.current"));
	facts_release(&facts);
}

#define SASPORT "/sys/devices/pci0000:00/0000:01:00.0/host0/port-0:2"
#define SAS     SASPORT "/end_device-0:2/target0:0:2/0:0:2:0"

/* Behind a SAS adapter a SATA disk's IDENTIFY data is in page 89h. */
static void test_sas(void **state)
{
	uint8_t page[572] = {0, 0x89, 0x02, 0x38};
	struct sysfs_device d = plant_disk(SAS, "sdb");
	struct pages pages = {0};
	struct facts facts;

	(void)state;
	page[60 + 434] = 0x20; /* word 217: 1C20h, 7200 rpm */
	page[60 + 435] = 0x1C;
	plant_bytes(SAS "/vpd_pg89", page, sizeof(page));
	plant_in(SASPORT, "phy-0:2/sas_phy/phy-0:2/negotiated_linkrate", "12.0 Gbit\n");
	plant_in(SASPORT, "phy-0:3/sas_phy/phy-0:3/negotiated_linkrate", "6.0 Gbit\n");
	plant_in("/sys/class/sas_device/end_device-0:2", "sas_address", "0x5000c500aabbccdd\n");
	plant_in("/sys/class/scsi_host/host0", "proc_name", "mpt3sas\n");
	plant_in(SAS, "vendor", "SEAGATE \n");
	plant_in(SAS, "scsi_disk/0:0:2:0/protection_type", "2\n");
	plant_in(SAS, "scsi_disk/0:0:2:0/cache_type", "write through\n");
	kept_pages(&d, &pages);
	assert_non_null(pages_answer(&pages, ASK_ATA_IDENTIFY, 0, 512));
	assert_int_equal(pages_find(&pages, ASK_ATA_IDENTIFY, 0)->bytes[435], 0x1C);
	pages_release(&pages);
	facts = told(&d);
	assert_string_equal(facts_words(&facts, "interface_speed.current.string"), "6.0 Gb/s");
	assert_int_equal(facts_number(&facts, "scsi_protection_type"), 2);
	assert_int_equal(facts_is(&facts, "write_cache.enabled"), 0);
	assert_int_equal(facts_find(&facts, "platter.sas_address")->privacy, FACT_SPECIMEN);
	assert_null(facts_find(&facts, "platter.raid_volume"));
	facts_release(&facts);
}

#define NVME "/sys/devices/pci0000:00/0000:02:00.0/nvme/nvme0"

static void test_nvme(void **state)
{
	struct sysfs_device d;
	struct facts facts;

	(void)state;
	plant_in(NVME "/nvme0n1", "dev", "259:0\n");
	plant_in(NVME "/nvme0n1", "size", "1000\n");
	plant_in(NVME "/nvme0n1", "queue/logical_block_size", "4096\n");
	plant_in(NVME "/nvme0n1", "queue/physical_block_size", "65536\n");
	plant_in(NVME "/nvme0n1", "queue/rotational", "0\n");
	plant_link(NVME "/nvme0n1/device", NVME);
	plant_in(NVME, "address", "0000:02:00.0\n");
	plant_in(NVME, "hwmon1/temp1_input", "41000\n");
	plant_in("/sys/bus/pci/devices/0000:02:00.0", "current_link_speed", "8.0 GT/s PCIe\n");
	plant_in("/sys/bus/pci/devices/0000:02:00.0", "max_link_speed", "16.0 GT/s PCIe\n");
	plant_in("/sys/bus/pci/devices/0000:02:00.0", "current_link_width", "2\n");
	plant_in("/sys/bus/pci/devices/0000:02:00.0", "max_link_width", "4\n");
	plant_link("/sys/class/block/nvme0n1", NVME "/nvme0n1");
	assert_int_equal(sysfs_by_name(&d, "nvme0n1"), 0);
	facts = told(&d);
	assert_string_equal(facts_words(&facts, "interface_speed.current.string"), "8.0 GT/s x2");
	assert_string_equal(facts_words(&facts, "interface_speed.max.string"), "16.0 GT/s x4");
	assert_int_equal(facts_number(&facts, "interface_speed.current.units_per_second"), 160);
	assert_int_equal(facts_number(&facts, "interface_speed.max.units_per_second"), 640);
	assert_null(facts_find(&facts, "temperature.current"));
	assert_int_equal(facts_number(&facts, "user_capacity.blocks"), 125);
	assert_null(facts_find(&facts, "physical_block_size"));
	facts_release(&facts);
}

#define USBDEV "/sys/devices/pci0000:00/0000:00:14.0/usb2/2-1"
#define USB    USBDEV "/2-1:1.0/host6/target6:0:0/6:0:0:0"

static void test_usb(void **state)
{
	struct sysfs_device d = plant_disk(USB, "sdc");
	struct facts facts;

	(void)state;
	plant_in(USBDEV, "idVendor", "152d\n");
	plant_in(USBDEV, "idProduct", "0578\n");
	plant_in(USBDEV, "manufacturer", "JMicron\n");
	plant_in(USBDEV, "speed", "480\n");
	plant_in(USBDEV, "version", " 2.10\n");
	plant_in(USBDEV, "2-1:1.0/bInterfaceNumber", "00\n");
	plant_in("/sys/bus/usb/drivers/uas", "bind", "");
	plant_link(USBDEV "/2-1:1.0/driver", "/sys/bus/usb/drivers/uas");
	plant_in("/sys/class/scsi_host/host6", "proc_name", "uas\n");
	plant_in(USB, "vendor", "RAID\n"); /* a box, not a controller that hides disks */
	facts = told(&d);
	assert_string_equal(facts_words(&facts, "platter.bridge.usb_id"), "152d:0578");
	assert_string_equal(facts_words(&facts, "platter.bridge.usb_vendor"), "JMicron");
	assert_string_equal(facts_words(&facts, "platter.bridge.driver"), "uas");
	assert_string_equal(facts_words(&facts, "platter.bridge.usb_version"), "2.10");
	assert_string_equal(facts_words(&facts, "interface_speed.current.string"), "480 Mb/s");
	assert_null(facts_find(&facts, "platter.raid_volume"));
	facts_release(&facts);
	plant_in(USBDEV, "speed", "10000\n");
	facts = told(&d);
	assert_string_equal(facts_words(&facts, "interface_speed.current.string"), "10.0 Gb/s");
	facts_release(&facts);
}

static void test_raid_volumes(void **state)
{
	static const struct {
		const char *driver, *channel, *vendor, *model, *level;
		bool volume;
	} disks[] = {
		{"megaraid_sas", "2", "DELL", "PERC H730P", NULL, true},
		{"megaraid_sas", "0", "SEAGATE", "ST600MP0036", NULL, false},
		{"megaraid_sas", "2", "ATA", "WDC WD40EFRX", NULL, false},
		{"mpt3sas", "1", "LSI", "Logical Volume", NULL, true},
		{"mpt3sas", "0", "SEAGATE", "ST600MP0036", NULL, false},
		{"hpsa", "0", "HP", "LOGICAL VOLUME", "RAID 1(1+0)\n", true},
		{"hpsa", "0", "HP", "EG0600FBVFP", "N/A\n", false},
		{"smartpqi", "1", "HPE", "LOGICAL VOLUME", NULL, true},
		{"aacraid", "0", "ASR7805", "md0", NULL, true},
		{"aacraid", "1", "HGST", "HUS726060ALS640", NULL, false},
		{"arcmsr", "0", "Areca", "vol", NULL, true},
		{"isci", "0", "Intel", "Raid 1 Volume", NULL, true},
		{"ahci", "0", "WDC", "WD40EFRX", NULL, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(disks) / sizeof(disks[0]); i++) {
		char device[300], name[16], host[64];
		struct sysfs_device d;

		snprintf(device, sizeof(device),
			"/sys/devices/pci0000:00/0000:03:00.0/host%zu/target%zu:%s:0/%zu:%s:0:0",
			i + 20, i + 20, disks[i].channel, i + 20, disks[i].channel);
		snprintf(name, sizeof(name), "sd%c", (char)('d' + i));
		d = plant_disk(device, name);
		plant_in(device, "vendor", disks[i].vendor);
		plant_in(device, "model", disks[i].model);
		if (disks[i].level)
			plant_in(device, "raid_level", disks[i].level);
		snprintf(device, sizeof(device), "/sys/class/scsi_host/host%zu", i + 20);
		plant_in(device, "proc_name", disks[i].driver);
		assert_int_equal(raid_volume(&d, host, sizeof(host)), disks[i].volume);
		assert_string_equal(host, disks[i].driver);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_sata, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_sas, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_nvme, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_usb, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_raid_volumes, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("linux_kept", tests, NULL, NULL);
}
