/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What may be sent to a drive, tried from all sides: everything that is not in a table of its own
 * here must be refused before the system hears of it. Descriptor -1 tells which: what was let
 * through ends with EBADF, what was refused with EPERM. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "platform/linux/command.h"
#include "platform/linux/question.h"
#include "platform/linux/sense.h"

static uint8_t memory[65536];
static const struct command_scope all = {.ata = true, .farm = true};
static const struct command_scope disk = {.ata = true};
static const struct command_scope other = {0};

struct shot {
	uint8_t cdb[16];
	unsigned n, length;
	int direction;
};

static int fire_in(const struct shot *s, const struct command_scope *scope)
{
	uint8_t cdb[16];
	struct sg_io_hdr h = {.interface_id = 'S', .timeout = COMMAND_LIMIT_MS};
	int status;

	memcpy(cdb, s->cdb, sizeof(cdb));
	h.cmdp = cdb;
	h.cmd_len = (unsigned char)s->n;
	h.dxfer_direction = s->direction;
	h.dxfer_len = s->length;
	h.dxferp = s->length ? memory : NULL;
	status = command_scsi(-1, &h, scope);
	assert_true(status == -EPERM || status == -EBADF);
	assert_int_equal(status == -EBADF, command_scsi_allowed(&h, scope));
	return status;
}

static bool fire(const struct shot *s)
{
	return fire_in(s, &all) == -EBADF;
}

#define IN  SG_DXFER_FROM_DEV
#define OUT SG_DXFER_TO_DEV

/* One of each that platter sends. */
static const struct shot sent[] = {
	{{0x00}, 6, 0, SG_DXFER_NONE},
	{{0x12, 0, 0, 0, 36}, 6, 36, IN},
	{{0x12, 1, 0x89, 2, 0x3C}, 6, 572, IN},
	{{0x1A, 0, 0x04, 0, 252}, 6, 252, IN},
	{{0x37, 0, 0x0C, 0, 0, 0, 0, 0, 4}, 10, 4, IN},
	{{0x4D, 0, 0x4D, 0, 0, 0, 0, 0, 252}, 10, 252, IN},
	{{0x5A, 0, 0x08, 0, 0, 0, 0, 0, 252}, 10, 252, IN},
	{{0x85, 8, 0x0E, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0xEC}, 16, 512, IN},
	{{0x85, 6, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xE5}, 16, 0, SG_DXFER_NONE},
	{{0x85, 6, 0x20, 0, 0xDA, 0, 0, 0, 0, 0, 0x4F, 0, 0xC2, 0, 0xB0}, 16, 0, SG_DXFER_NONE},
	{{0x85, 8, 0x0E, 0, 0xD0, 0, 1, 0, 0, 0, 0x4F, 0, 0xC2, 0, 0xB0}, 16, 512, IN},
	{{0x85, 8, 0x0E, 0, 0xD1, 0, 1, 0, 0, 0, 0x4F, 0, 0xC2, 0, 0xB0}, 16, 512, IN},
	{{0x85, 8, 0x0E, 0, 0xD5, 0, 1, 0, 6, 0, 0x4F, 0, 0xC2, 0, 0xB0}, 16, 512, IN},
	{{0x85, 9, 0x0E, 0, 0, 0, 1, 0, 0x04, 1, 2, 0, 0, 0, 0x2F}, 16, 512, IN},
	{{0x9E, 0x10, [13] = 32}, 16, 32, IN},
	{{0xA1, 8, 0x0E, 0, 1, 0, 0, 0, 0, 0xEC}, 12, 512, IN},
	{{0xB7, 0x0C, [9] = 8}, 12, 8, IN},
};
#define SENT (sizeof(sent) / sizeof(sent[0]))

static void test_what_is_sent(void **state)
{
	(void)state;
	for (size_t i = 0; i < SENT; i++)
		assert_true(fire(&sent[i]));
}

/* Every opcode, in every length and direction, bare and in the place of each that is sent. */
static void test_every_opcode(void **state)
{
	static const int directions[] = {SG_DXFER_NONE, OUT, IN, SG_DXFER_TO_FROM_DEV,
		-5 /* unknown */};
	unsigned let_through = 0;

	(void)state;
	for (size_t i = 0; i < SENT; i++) {
		for (unsigned opcode = 0; opcode < 256; opcode++) {
			for (unsigned n = 0; n <= 16; n++) {
				for (size_t d = 0; d < 5; d++) {
					struct shot s = sent[i];
					bool same = opcode == s.cdb[0] && n == s.n &&
						directions[d] == s.direction;
					s.cdb[0] = (uint8_t)opcode;
					s.n = n;
					s.direction = directions[d];
					assert_int_equal(fire(&s), same);
					let_through += same;
				}
			}
		}
	}
	assert_int_equal(let_through, SENT);
}

/* Any bit of any command turned over: let through only where that names another page or log of
 * those that may be read, a format of defects, or asks for block descriptors or not. */
static void test_every_bit(void **state)
{
	(void)state;
	for (size_t i = 0; i < SENT; i++) {
		for (unsigned bit = 0; bit < sent[i].n * 8; bit++) {
			struct shot s = sent[i];
			unsigned at = bit / 8;
			bool may = (s.cdb[0] == 0x12 && (at == 1 || (s.cdb[1] && at == 2))) ||
				(s.cdb[0] == 0x1A && (at == 1 || at == 2)) ||
				(s.cdb[0] == 0x5A && (at == 1 || at == 2)) ||
				(s.cdb[0] == 0x4D && (at == 2 || at == 3)) ||
				(s.cdb[0] == 0x37 && at == 2) || (s.cdb[0] == 0xB7 && at == 1) ||
				(s.cdb[0] == 0x85 && (s.cdb[14] == 0x2F || s.cdb[4] == 0xD5) &&
					(at == 8 || at == 9 || at == 10)) ||
				(s.cdb[0] == 0x85 && at == 4 && s.cdb[4] >= 0xD0 &&
					s.cdb[4] < 0xD5);

			s.cdb[at] ^= (uint8_t)(1u << bit % 8);
			if (!may)
				assert_false(fire(&s));
		}
	}
}

static const struct {
	unsigned command, feature;
	bool data, extend;
} ata_may[] = {
	{0xEC, 0, true, false}, {0xE5, 0, false, false}, {0xB0, 0xD0, true, false},
	{0xB0, 0xD1, true, false}, {0xB0, 0xD5, true, false}, {0xB0, 0xDA, false, false},
	{0x2F, 0, true, true},
};

static bool ata_is_known(unsigned command, unsigned feature, bool data, bool extend)
{
	for (size_t i = 0; i < sizeof(ata_may) / sizeof(ata_may[0]); i++)
		if (ata_may[i].command == command && ata_may[i].feature == feature &&
			ata_may[i].data == data && ata_may[i].extend == extend)
			return true;
	return false;
}

/* Every command with every feature, as all 16 protocols, short and extended. */
static void test_every_ata_command(void **state)
{
	(void)state;
	for (unsigned command = 0; command < 256; command++) {
		for (unsigned feature = 0; feature < 256; feature++) {
			for (unsigned protocol = 0; protocol < 32; protocol++) {
				bool data = protocol >> 1 == 4, extend = protocol & 1;
				struct shot s = {{0x85, (uint8_t)protocol, data ? 0x0E : 0x20, 0,
							 (uint8_t)feature, 0, data},
					16, data ? 512 : 0, data ? IN : SG_DXFER_NONE};

				s.cdb[14] = (uint8_t)command;
				if (command == 0xB0) {
					s.cdb[10] = 0x4F;
					s.cdb[12] = 0xC2;
				}
				assert_int_equal(fire(&s),
					(data || protocol >> 1 == 3) &&
						ata_is_known(command, feature, data, extend));
				assert_false(fire_in(&s, &other) == -EBADF);
				s.direction = OUT;
				s.length = 512;
				assert_false(fire(&s));
			}
		}
	}
}

static void test_every_log(void **state)
{
	static const char smart[] = "\x00\x01\x04\x06\xE0";
	static const char general[] = "\x00\x02\x03\x04\x07\x0C\x11\x30\xA6";

	(void)state;
	for (unsigned log = 0; log < 256; log++) {
		struct shot s = sent[12], g = sent[13];

		s.cdb[8] = g.cdb[8] = (uint8_t)log;
		assert_int_equal(fire(&s), memchr(smart, (int)log, 5) != NULL);
		assert_int_equal(fire(&g), memchr(general, (int)log, 9) != NULL);
		if (log == 0xA6)
			assert_int_equal(fire_in(&g, &disk), -EPERM); /* Seagate alone has it */
		for (unsigned feature = 1; feature < 256; feature++) {
			g.cdb[4] = (uint8_t)feature; /* 1 would reset the counters of log 11h */
			assert_false(fire(&g));
		}
	}
}

static void test_every_log_and_mode_page(void **state)
{
	static const unsigned logs[] = {0x0000, 0x00FF, 0x0200, 0x0300, 0x0500, 0x0600, 0x0D00,
		0x0D01, 0x0E00, 0x0E01, 0x1000, 0x1100, 0x1500, 0x1501, 0x1800, 0x1900, 0x2F00,
		0x3E00};
	static const char modes[] = "\x01\x04\x08\x0A\x19\x1A\x1C\x3F";

	(void)state;
	for (unsigned page = 0; page < 256; page++) {
		for (unsigned sub = 0; sub < 256; sub++) {
			struct shot s = sent[5], m = sent[6];
			bool may = false;

			s.cdb[2] = m.cdb[2] = (uint8_t)page;
			s.cdb[3] = m.cdb[3] = (uint8_t)sub;
			for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++)
				may = may || (page >> 6 == 1 && logs[i] == ((page & 63) << 8 | sub));
			assert_int_equal(fire(&s), may);
			assert_int_equal(fire(&m), !sub && memchr(modes, (int)page, 8) != NULL);
		}
	}
}

/* Whatever else the system would take with it. */
static void test_header(void **state)
{
	uint8_t cdb[16] = {0x12, 0, 0, 0, 36};
	struct sg_io_hdr good = {.interface_id = 'S', .timeout = COMMAND_LIMIT_MS, .cmd_len = 6,
		.dxfer_direction = IN, .dxfer_len = 36}, h;

	(void)state;
	good.cmdp = cdb;
	good.dxferp = memory;
	assert_int_equal(command_scsi(-1, &good, &other), -EBADF);
#define BAD(change)                                                                                \
	h = good;                                                                                  \
	h.change;                                                                                  \
	assert_int_equal(command_scsi(-1, &h, &all), -EPERM)
	BAD(interface_id = 'Q');
	BAD(timeout = 0);
	BAD(timeout = COMMAND_LIMIT_MS + 1);
	BAD(iovec_count = 1);
	BAD(flags = SG_FLAG_DIRECT_IO);
	BAD(dxfer_len = 37);
	BAD(dxferp = NULL);
	BAD(cmdp = NULL);
	BAD(cmd_len = 32);
#undef BAD
}

static int admin(struct nvme_admin_cmd c)
{
	int status = command_nvme(-1, &c);

	assert_true(status == -EPERM || status == -EBADF);
	return status;
}

static void test_every_nvme_command(void **state)
{
	struct nvme_admin_cmd identify = {.opcode = 6, .cdw10 = 1, .data_len = 4096,
		.addr = (uintptr_t)memory, .timeout_ms = COMMAND_LIMIT_MS};
	struct nvme_admin_cmd log = {.opcode = 2, .nsid = 0xFFFFFFFFu, .cdw10 = 0x7F8002,
		.data_len = 512, .addr = (uintptr_t)memory, .timeout_ms = COMMAND_LIMIT_MS};
	struct nvme_admin_cmd c;

	(void)state;
	assert_int_equal(admin(identify), -EBADF);
	assert_int_equal(admin(log), -EBADF);
	for (unsigned opcode = 0; opcode < 256; opcode++) {
		c = identify;
		c.opcode = (uint8_t)opcode;
		assert_int_equal(admin(c), opcode == 6 ? -EBADF : -EPERM);
		c = log;
		c.opcode = (uint8_t)opcode;
		assert_int_equal(admin(c), opcode == 2 ? -EBADF : -EPERM);
		c = log;
		c.cdw10 = 0x7F8000 | opcode;
		assert_int_equal(admin(c), opcode == 2 || opcode == 6 ? -EBADF : -EPERM);
		c = identify;
		c.cdw10 = opcode;
		assert_int_equal(admin(c), opcode == 1 ? -EBADF : -EPERM);
		c.nsid = 1;
		assert_int_equal(admin(c), opcode == 0 ? -EBADF : -EPERM);
	}
	for (unsigned bit = 0; bit < 8 * offsetof(struct nvme_admin_cmd, result); bit++) {
		for (unsigned which = 0; which < 2; which++) {
			c = which ? log : identify;
			((uint8_t *)&c)[bit / 8] ^= (uint8_t)(1u << bit % 8);
			if (bit / 8 < offsetof(struct nvme_admin_cmd, addr) ||
				bit / 8 >= offsetof(struct nvme_admin_cmd, metadata_len))
				assert_int_equal(admin(c),
					which && c.cdw10 == 0x7F8006 ? -EBADF : -EPERM);
		}
	}
	c = log;
	c.cdw10 = 0x7F0002; /* without "retain event" */
	assert_int_equal(admin(c), -EPERM);
}

/* Whatever kind and number a question has, it makes no command that is refused for another reason
 * than that it must not be sent: nothing but EPERM, EBADF, EOPNOTSUPP and EINVAL comes back. */
static void test_every_question(void **state)
{
	static const uint32_t bits[] = {0, 1, 2, 3, 6, 0x10, 0x80, 0x89, 0xB1, 0xE0, 0xFF, 0x100,
		0x800, 0x1C00, 0x2F00, 0x3FFF, 0x4000, 0x40000, 0xA60001, 0xFF0000, 0x1000000,
		0xFFFFFFFF};

	(void)state;
	for (unsigned kind = 0; kind < ASK_KINDS + 5; kind++) {
		for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
			for (size_t size = 0; size <= 65536; size = size ? size * 2 : 1) {
				for (int door = 0; door < 3; door++) {
					struct asked a = {.fd = -1, .scope = all,
						.door = (enum command_door)door, .nsid = 1};
					int got = question_ask(&a, (enum question_kind)kind,
						bits[i], memory, size);

					assert_true(got == -EPERM || got == -EBADF ||
						got == -EOPNOTSUPP || got == -EINVAL);
				}
			}
		}
	}
}

/* The registers after the command, in both formats of SAT and as bridges have sent them. */
static void test_sense(void **state)
{
	static const uint8_t good[] = {0x72, 1, 0, 0x1D, 0, 0, 0, 14, 9, 12, 0, 0, 0, 0, 0, 0, 0, 0x4F,
		0, 0xC2, 0, 0x50};
	static const uint8_t behind[] = {0x72, 1, 0, 0x1D, 0, 0, 0, 26, 0, 10, 0x80, 0, 1, 2, 3, 4, 5,
		6, 7, 8, 9, 12, 0, 0, 0, 0xFF, 0, 0, 0, 0xF4, 0, 0x2C, 0, 0x50};
	static const uint8_t fixed[] = {0x70, 0, 1, 0, 0x50, 0, 0xFF, 10, 0, 0, 0x4F, 0xC2, 0, 0x1D,
		0, 0, 0, 0};
	static const uint8_t turned[] = {0xF0, 0, 1, 0, 0x50, 0x40, 0, 10, 0x80, 0x2C, 0xF4, 0, 0,
		0x1D};
	static const uint8_t no_room[] = {0x72, 1, 0, 0x1D, 0, 0, 0, 14, 9, 12, 0, 0, 0, 0, 0, 0};
	struct sense s;

	(void)state;
	sense_read(&s, good, sizeof(good));
	assert_int_equal(sense_smart_status(&s), 1);
	assert_int_equal(s.status, 0x50);
	sense_read(&s, behind, sizeof(behind));
	assert_int_equal(sense_smart_status(&s), 0);
	assert_int_equal(s.count, 0xFF);
	sense_read(&s, fixed, sizeof(fixed));
	assert_int_equal(sense_smart_status(&s), 1);
	assert_int_equal(s.count, 0xFF);
	sense_read(&s, turned, sizeof(turned));
	assert_int_equal(sense_smart_status(&s), 0);
	sense_read(&s, no_room, sizeof(no_room));
	assert_false(s.registers);
	assert_int_equal(sense_smart_status(&s), -1);
	for (size_t n = 0; n < sizeof(good); n++) {
		uint8_t *exact = test_malloc(n ? n : 1);

		memcpy(exact, good, n);
		sense_read(&s, exact, n);
		assert_false(s.registers);
		test_free(exact);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_sent),
		cmocka_unit_test(test_every_opcode),
		cmocka_unit_test(test_every_bit),
		cmocka_unit_test(test_every_ata_command),
		cmocka_unit_test(test_every_log),
		cmocka_unit_test(test_every_log_and_mode_page),
		cmocka_unit_test(test_header),
		cmocka_unit_test(test_every_nvme_command),
		cmocka_unit_test(test_every_question),
		cmocka_unit_test(test_sense),
	};

	return cmocka_run_group_tests_name("linux_command", tests, NULL, NULL);
}
