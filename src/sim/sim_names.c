/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The built-in drives, as truth files. "class" marks a figure that is usual for drives of that
 * time and kind because no published one was at hand. Sectors per track are chosen so that the
 * sustained rate, skews included, is the one named. */
#include "sim/sim.h"
#include "sim/truth.h"

static const char MHZ2120BH[] =
	"vendor = FUJITSU\nmodel = FUJITSU MHZ2120BH\nsize = 120034123776\n"
	"rpm = 5400           # data sheet, MHZ2 BH series\n"
	"heads = 2            # one platter (class)\n"
	"outer_sectors_per_track = 1440   # about 58 MB/s sustained outside (reviews)\n"
	"inner_sectors_per_track = 740    # about half inside (class)\n"
	"zones = 20           # class\n"
	"track_to_track_s = 0.0015        # data sheet: 1.5 ms\n"
	"average_seek_s = 0.012           # data sheet: 12 ms\n"
	"full_stroke_s = 0.022            # data sheet: 22 ms\n"
	"head_switch_s = 0.0013           # class\n"
	"command_s = 0.00015              # class\n"
	"interface_bytes_per_s = 130e6    # SATA 1.5 Gbit/s, after encoding and framing\n"
	"cache_bytes = 8M                 # data sheet\n"
	"cache_segments = 8\nreadahead_bytes = 768k   # class\n"
	"spin_up_s = 4                    # data sheet: 4 s\n";

static const char HTS545050B9SA02[] =
	"vendor = Hitachi\nmodel = Hitachi HTS545050B9SA02\nsize = 500107862016\n"
	"rpm = 5400           # 5K500.B specification\n"
	"heads = 4            # two platters of 250 GB\n"
	"outer_sectors_per_track = 2060   # about 86 MB/s sustained outside (reviews)\n"
	"inner_sectors_per_track = 1030   # class: half\n"
	"zones = 24           # class\n"
	"track_to_track_s = 0.001         # 5K320 specification, the model before: 1.0 ms\n"
	"average_seek_s = 0.012           # 5K320 specification: 12 ms\n"
	"full_stroke_s = 0.020            # 5K320 specification: 20 ms\n"
	"head_switch_s = 0.0009           # class\n"
	"command_s = 0.00012              # class\n"
	"interface_bytes_per_s = 270e6    # SATA 3 Gbit/s\n"
	"cache_bytes = 8M                 # specification\n"
	"cache_segments = 8\nreadahead_bytes = 768k   # class\n"
	"spin_up_s = 3.5                  # class\n";

static const char HTS725050A9A362[] =
	"vendor = Hitachi\nmodel = Hitachi HTS725050A9A362\nsize = 500107862016\n"
	"rpm = 7200           # 7K500 OEM specification\n"
	"heads = 4            # two platters\n"
	"outer_sectors_per_track = 2080   # about 111 MB/s sustained outside (reviews)\n"
	"inner_sectors_per_track = 1040   # class: half\n"
	"zones = 24           # class\n"
	"track_to_track_s = 0.001         # 5K320 specification, same family: 1.0 ms\n"
	"average_seek_s = 0.012           # 7K500 OEM specification: 12 ms\n"
	"full_stroke_s = 0.020            # 7K500 OEM specification: 20 ms\n"
	"head_switch_s = 0.0009           # class\n"
	"command_s = 0.0001               # class\n"
	"interface_bytes_per_s = 270e6    # SATA 3 Gbit/s\n"
	"cache_bytes = 16M                # specification\n"
	"cache_segments = 8\nreadahead_bytes = 1536k   # class\n"
	"spin_up_s = 4                    # class\n";

static const char WD1602ABJS[] =
	"vendor = WDC\nmodel = WDC WD1602ABJS-02P4A0\nsize = 160041885696\n"
	"rpm = 7200           # data sheet, RE3\n"
	"heads = 1            # one surface of a 320 GB platter (class)\n"
	"outer_sectors_per_track = 2100   # about 112 MB/s sustained, data sheet\n"
	"inner_sectors_per_track = 1080   # class\n"
	"zones = 20           # class\n"
	"track_to_track_s = 0.0011        # class\n"
	"average_seek_s = 0.0089          # data sheet: 8.9 ms read\n"
	"full_stroke_s = 0.021            # data sheet of the family: 21 ms\n"
	"head_switch_s = 0.001            # class\n"
	"command_s = 0.00008              # class\n"
	"interface_bytes_per_s = 270e6    # SATA 3 Gbit/s\n"
	"cache_bytes = 16M                # data sheet\n"
	"cache_segments = 8\nreadahead_bytes = 1536k   # class\n"
	"spin_up_s = 8                    # class\n";

static const char MAX3073NC[] =
	"vendor = FUJITSU\nmodel = MAX3073NC\nsize = 73407868928\ntransport = scsi\n"
	"rpm = 15000          # data sheet\n"
	"heads = 4            # class: two platters\n"
	"tracks_per_run = 27  # manual C141-E234: cells of 27 cylinders a head\n"
	"outer_sectors_per_track = 960    # about 115 MB/s sustained outside (class)\n"
	"inner_sectors_per_track = 620    # class\n"
	"zones = 12           # class\n"
	"track_to_track_s = 0.0002        # data sheet: 0.2 ms\n"
	"average_seek_s = 0.0033          # data sheet: 3.3 ms read\n"
	"full_stroke_s = 0.008            # data sheet class: 8 ms\n"
	"head_switch_s = 0.0003           # class\n"
	"settle_noise_s = 0.00003         # class\n"
	"command_s = 0.00006              # class\n"
	"interface_bytes_per_s = 300e6    # Ultra320, less protocol\n"
	"cache_bytes = 8M                 # data sheet\n"
	"cache_segments = 8\nreadahead_bytes = 768k   # class\n"
	"max_request_bytes = 512k\nspin_up_s = 20   # data sheet class\n";

static const char ST318451LW[] =
	"vendor = SEAGATE\nmodel = ST318451LW\nsize = 18351959040\ntransport = scsi\n"
	"rpm = 15000          # Cheetah X15 product manual 83329484\n"
	"heads = 10           # five platters of 3.7 GB\n"
	"outer_sectors_per_track = 356    # about 40 MB/s outside (announcement)\n"
	"inner_sectors_per_track = 256    # class\n"
	"zones = 10           # class\n"
	"track_to_track_s = 0.0007        # class for 2000\n"
	"average_seek_s = 0.0039          # product manual: 3.9 ms read\n"
	"full_stroke_s = 0.0085           # class\n"
	"head_switch_s = 0.0004           # class\n"
	"command_s = 0.00015              # class\n"
	"interface_bytes_per_s = 140e6    # Ultra160, less protocol\n"
	"cache_bytes = 4M                 # announcement\n"
	"cache_segments = 8\nreadahead_bytes = 128k   # class\n"
	"max_request_bytes = 512k\nspin_up_s = 15   # class\n";

static const char MAXTOR40[] =
	"vendor = MAXTOR\nmodel = MAXTOR 6E040L0\nsize = 41110142976\ntransport = pata\n"
	"rpm = 7200           # data sheet, DiamondMax Plus 8\n"
	"heads = 1            # one surface\n"
	"outer_sectors_per_track = 1040   # about 57 MB/s outside (class)\n"
	"inner_sectors_per_track = 560    # class\n"
	"zones = 16           # class\n"
	"track_to_track_s = 0.0009        # class\n"
	"average_seek_s = 0.0095          # data sheet: under 10 ms\n"
	"full_stroke_s = 0.020            # class\n"
	"command_s = 0.0002               # class\n"
	"interface_bytes_per_s = 115e6    # Ultra ATA/133, less protocol\n"
	"queue_depth = 1                  # parallel ATA, no queue in use\n"
	"cache_bytes = 2M                 # data sheet\n"
	"cache_segments = 8\nreadahead_bytes = 128k   # class\n"
	"max_request_bytes = 128k         # 256 sectors, 28-bit commands\n"
	"spin_up_s = 8                    # class\n";

static const char ST16000NM001G[] =
	"vendor = SEAGATE\nmodel = ST16000NM001G-2KK103\nsize = 16000900661248\n"
	"physical_block_bytes = 4096      # 512e, product manual 100845789\n"
	"rpm = 7200           # product manual\n"
	"heads = 18           # product manual: 9 discs, 18 heads\n"
	"head_density_spread = 0.06       # class: each head is formatted to what it can\n"
	"tracks_per_run = 100             # class: serpentine\n"
	"outer_sectors_per_track = 549    # of 4096 bytes; 261 MB/s sustained, product manual\n"
	"inner_sectors_per_track = 265    # class\n"
	"zones = 36           # class\n"
	"track_to_track_s = 0.00024       # class figure of nearline data sheets\n"
	"average_seek_s = 0.008           # class: 7.4 to 8 ms\n"
	"full_stroke_s = 0.0165           # class\n"
	"head_switch_s = 0.0005           # class\n"
	"command_s = 0.00006              # class\n"
	"interface_bytes_per_s = 550e6    # SATA 6 Gbit/s\n"
	"cache_bytes = 256M               # product manual\n"
	"cache_segments = 64\nreadahead_bytes = 2M   # class\n"
	"read_on_arrival = 1              # class\n"
	"spin_up_s = 20                   # product manual class: 20 to 25 s\n";

static const char ST8000AS0002[] =
	"kind = smr\nvendor = SEAGATE\nmodel = ST8000AS0002-1NA17Z\nsize = 8001563222016\n"
	"physical_block_bytes = 4096\n"
	"rpm = 5900           # data sheet class, Archive HDD v2\n"
	"heads = 12           # six platters\n"
	"tracks_per_run = 150             # class\n"
	"outer_sectors_per_track = 495    # 190 MB/s maximum sustained, data sheet\n"
	"inner_sectors_per_track = 240    # class\n"
	"zones = 30           # class\n"
	"track_to_track_s = 0.0008\naverage_seek_s = 0.012\nfull_stroke_s = 0.022   # class\n"
	"head_switch_s = 0.001            # class\n"
	"interface_bytes_per_s = 550e6    # SATA 6 Gbit/s\n"
	"cache_bytes = 128M               # data sheet\n"
	"cache_segments = 64\nreadahead_bytes = 1M   # class\n"
	"spin_up_s = 10                   # class\n"
	"smr_unmapped_share = 0.35\nsmr_dirty_share = 0.06   # a drive in use, assumed\n";

static const char SMRNEW[] =
	"like = smr8tb\nsmr_dirty_share = 0\nsmr_unmapped_share = 1   # nothing was ever written\n";

static const char X25M[] =
	"kind = flash\nvendor = INTEL\nmodel = INTEL SSDSA2M080G2GC\nsize = 80026361856\n"
	"interface_bytes_per_s = 262e6    # 250 MB/s with a command at a time, data sheet\n"
	"command_s = 0.000015             # class\n"
	"flash_read_s = 0.00005           # data sheet: 65 us read latency, all in all\n"
	"flash_jitter_s = 0.000005        # class\n"
	"flash_units = 20                 # ten channels, two deep (class)\n"
	"flash_page_bytes = 4k\nflash_unit_bytes_per_s = 25e6   # 4 KiB in 160 us: 35 kIOPS class\n"
	"flash_outlier_share = 0.0005\nflash_outlier_s = 0.002   # class\n";

static const char PM9A1[] =
	"kind = flash\nvendor = SAMSUNG\nmodel = SAMSUNG MZVL21T0HCJR-00000\nsize = 1024209543168\n"
	"transport = nvme\nqueue_depth = 1023\n"
	"interface_bytes_per_s = 7.1e9    # data sheet: 7000 MB/s\n"
	"command_s = 0.000006             # class\n"
	"flash_read_s = 0.000045          # class: 50 us at depth 1\n"
	"flash_jitter_s = 0.000003        # class\n"
	"flash_units = 128\nflash_page_bytes = 16k\nflash_unit_bytes_per_s = 500e6   # class\n"
	"flash_outlier_share = 0.0005\nflash_outlier_s = 0.0008  # class\n";

static const char RAID0[] =
	"kind = array\nmodel = RAID0 OF TWO\nlevel = raid0\nmembers = 2\nsize = 0\n"
	"member = hts725050a9a362\nchunk_bytes = 512k   # what md takes by itself\n";
static const char RAID1[] =
	"kind = array\nmodel = RAID1 OF TWO\nlevel = raid1\nmembers = 2\nsize = 0\n"
	"member = hts725050a9a362\n";
static const char USB2[] =
	"like = hts545050b9sa02\ntransport = usb\nqueue_depth = 1\n"
	"max_request_bytes = 120k         # usb-storage: 240 sectors\n"
	"bridge_bytes_per_s = 42e6        # bulk payload of a 480 Mbit/s bus, class\n"
	"bridge_request_bytes = 120k\nbridge_frame_s = 0.000125   # a microframe\n"
	"bridge_command_s = 0.00025       # class\n";
static const char VIRTUAL[] =
	"kind = virtual\nvendor = PLATTER\nmodel = VIRTUAL DISK\nsize = 107374182400\n"
	"transport = virtio\ninterface_bytes_per_s = 1.2e9   # assumed\n"
	"command_s = 0.00002\n"
	"virtual_hit_share = 0.35\nvirtual_hit_s = 0.00008\n"
	"virtual_median_s = 0.0012\nvirtual_sigma = 0.6   # assumed: a busy store behind\n";

static const char VIRTUALTICK[] =
	"like = virtual\nmodel = VIRTUAL DISK WITH A TICK\n"
	"completion_tick_s = 0.004        # a 250 Hz timer that wakes its host's worker\n";
static const char EXOS2X18[] =
	"vendor = SEAGATE\nmodel = ST18000NM0092-3CX103\nsize = 18000207937536\n"
	"physical_block_bytes = 4096      # 512e\n"
	"rpm = 7200           # product manual\n"
	"actuators = 2        # product manual: each has half of the addresses\n"
	"heads = 9            # of each actuator; 9 discs, 18 heads\n"
	"head_density_spread = 0.04       # class\n"
	"tracks_per_run = 100             # class: serpentine\n"
	"outer_sectors_per_track = 590    # of 4096 bytes; 545 MB/s from both, product manual\n"
	"inner_sectors_per_track = 280    # class\n"
	"zones = 36           # class\n"
	"track_to_track_s = 0.0004\naverage_seek_s = 0.008\nfull_stroke_s = 0.0165   # class\n"
	"head_switch_s = 0.0005           # class\n"
	"command_s = 0.00006              # class\n"
	"interface_bytes_per_s = 550e6    # SATA 6 Gbit/s\n"
	"cache_bytes = 256M               # product manual\n"
	"cache_segments = 64\nreadahead_bytes = 2M   # class\n"
	"spin_up_s = 25                   # product manual class\n";

static const struct truth_builtin BUILTINS[] = {
	{"mhz2120bh", "Fujitsu MHZ2120BH, 120 GB, 5400 rpm, 2.5 inch", MHZ2120BH},
	{"hts545050b9sa02", "Hitachi HTS545050B9SA02, 500 GB, 5400 rpm, 2.5 inch", HTS545050B9SA02},
	{"hts725050a9a362", "Hitachi HTS725050A9A362, 500 GB, 7200 rpm, 2.5 inch", HTS725050A9A362},
	{"wd1602abjs", "Western Digital WD1602ABJS, 160 GB, 7200 rpm, 3.5 inch", WD1602ABJS},
	{"max3073nc", "Fujitsu MAX3073NC, 73 GB, 15000 rpm", MAX3073NC},
	{"st318451lw", "Seagate Cheetah X15 ST318451LW, 18 GB, 15000 rpm", ST318451LW},
	{"6e040l0", "Maxtor 6E040L0, 40 GB, 7200 rpm", MAXTOR40},
	{"st16000nm001g", "Seagate Exos X16 ST16000NM001G, 16 TB, 7200 rpm", ST16000NM001G},
	{"ssdsa2m080g2gc", "Intel X25-M SSDSA2M080G2GC, 80 GB, SATA SSD", X25M},
	{"mzvl21t0hcjr", "Samsung PM9A1, 1 TB, NVMe SSD", PM9A1},
	{"raid0", "RAID0 of two HTS725050A9A362", RAID0},
	{"raid1", "RAID1 of two HTS725050A9A362", RAID1},
	{"usb2", "HTS545050B9SA02 behind a USB 2 bridge", USB2},
	{"smr8tb", "Seagate Archive ST8000AS0002, 8 TB, drive-managed SMR in use", ST8000AS0002},
	{"smrnew", "the same as it leaves the factory: nothing mapped", SMRNEW},
	{"virtual", "a virtual machine's disk", VIRTUAL},
	{"virtualtick", "the same, its slow answers only seen every 4 ms", VIRTUALTICK},
	{"st18000nm0092", "Seagate Exos 2X18 ST18000NM0092, 18 TB, two actuators", EXOS2X18},
};

bool truth_builtin_at(unsigned i, struct truth_builtin *builtin)
{
	if (i >= sizeof(BUILTINS) / sizeof(BUILTINS[0]))
		return false;
	*builtin = BUILTINS[i];
	return true;
}

const char *sim_name_at(size_t i, const char **about)
{
	if (i >= sizeof(BUILTINS) / sizeof(BUILTINS[0]))
		return NULL;
	if (about)
		*about = BUILTINS[i].about;
	return BUILTINS[i].name;
}
