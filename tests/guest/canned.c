/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A drive that answers from a file: preloaded into platter or one of its peers, it takes the
 * pass-through ioctls of one block device for itself. CANNED_DEV names the device, CANNED_ANSWERS the
 * file, CANNED_LOG a file of a megabyte for what was asked. A line of the file:
 *   cdb 4d004d data 0d00…     a command that begins so is answered with these bytes ("??": any byte)
 *   cdb 85…    sense 72…      … with CHECK CONDITION and this sense data
 *   cdb 85…    nothing        … with GOOD and nothing else
 *   nvme 02 02 data 04…       an admin command by its opcode and the lowest byte of its dword 10
 * What has no line is an invalid opcode. All is read before the first process is forked, and the log
 * is memory, since who answers may have no system calls left. */
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/nvme_ioctl.h>
#include <scsi/sg.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define ANSWERS   64
#define BYTES_MAX 4096
#define LOG_BYTES (1u << 20)

enum what { DATA, SENSE, NOTHING };

static struct answer {
	int nvme;
	enum what what;
	int wanted[16]; /* -1: any */
	size_t n_wanted, n;
	uint8_t bytes[BYTES_MAX];
} answers[ANSWERS];
static size_t n_answers;
static dev_t device;
static int any_nvme, any_scsi;
static int (*real_ioctl)(int, unsigned long, ...);

static struct log {
	atomic_size_t n;
	char text[LOG_BYTES - sizeof(atomic_size_t)];
} *said;

static size_t from_hex(const char *hex, uint8_t *bytes, int *wanted, size_t most)
{
	size_t n = 0;

	for (; n < most && hex[0] && hex[1]; hex += 2, n++) {
		char two[3] = {hex[0], hex[1], 0};
		long value = strtol(two, NULL, 16);

		if (wanted)
			wanted[n] = hex[0] == '?' ? -1 : (int)value;
		else
			bytes[n] = (uint8_t)value;
	}
	return n;
}

static void read_line(char *line)
{
	struct answer *a = &answers[n_answers];
	char *save, *word = strtok_r(line, " \n", &save), *next;

	if (!word || word[0] == '#' || n_answers == ANSWERS)
		return;
	a->nvme = strcmp(word, "nvme") == 0;
	next = strtok_r(NULL, " \n", &save);
	if (!next)
		return;
	a->n_wanted = from_hex(next, NULL, a->wanted, 16);
	if (a->nvme && (next = strtok_r(NULL, " \n", &save)) != NULL)
		a->n_wanted += from_hex(next, NULL, a->wanted + 1, 1);
	next = strtok_r(NULL, " \n", &save);
	a->what = !next || strcmp(next, "nothing") == 0 ? NOTHING
		: strcmp(next, "sense") == 0 ? SENSE : DATA;
	next = strtok_r(NULL, " \n", &save);
	a->n = next ? from_hex(next, a->bytes, NULL, BYTES_MAX) : 0;
	any_nvme |= a->nvme;
	any_scsi |= !a->nvme;
	n_answers++;
}

__attribute__((constructor)) static void ready(void)
{
	static char line[2 * BYTES_MAX + 256];
	const char *name = getenv("CANNED_DEV"), *file = getenv("CANNED_ANSWERS");
	const char *log = getenv("CANNED_LOG");
	struct stat st;
	FILE *f = file ? fopen(file, "re") : NULL;
	int fd;

	*(void **)&real_ioctl = dlsym(RTLD_NEXT, "ioctl");
	if (!name || !f || stat(name, &st) != 0)
		return;
	while (fgets(line, sizeof(line), f))
		read_line(line);
	fclose(f);
	device = st.st_rdev;
	fd = log ? open(log, O_RDWR | O_CLOEXEC) : -1;
	if (fd < 0)
		return;
	said = mmap(NULL, LOG_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (said == MAP_FAILED)
		said = NULL;
	close(fd);
}

static void note(const char *what, const uint8_t *bytes, size_t n)
{
	char line[80];
	size_t length = (size_t)snprintf(line, sizeof(line), "%s", what), at;

	if (!said)
		return;
	for (size_t i = 0; i < n && i < 16; i++)
		length += (size_t)snprintf(line + length, sizeof(line) - length, " %02x", bytes[i]);
	line[length++] = '\n';
	at = atomic_fetch_add(&said->n, length);
	if (at + length < sizeof(said->text))
		memcpy(said->text + at, line, length);
}

static const struct answer *find(int nvme, const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n_answers; i++) {
		const struct answer *a = &answers[i];
		size_t k = 0;

		if (a->nvme != nvme || a->n_wanted > n)
			continue;
		while (k < a->n_wanted && (a->wanted[k] < 0 || a->wanted[k] == bytes[k]))
			k++;
		if (k == a->n_wanted)
			return a;
	}
	return NULL;
}

static int scsi(struct sg_io_hdr *h)
{
	static const uint8_t unknown[18] = {0x70, 0, 5, [7] = 10, [12] = 0x20};
	const struct answer *a = find(0, h->cmdp, h->cmd_len);
	const uint8_t *sense = a ? a->bytes : unknown;
	size_t n = a ? a->n : sizeof(unknown);

	note("scsi", h->cmdp, h->cmd_len);
	h->status = h->masked_status = 0;
	h->host_status = h->driver_status = 0;
	h->sb_len_wr = 0;
	h->info = 0;
	h->resid = (int)h->dxfer_len;
	if (a && a->what == DATA) {
		if (n > h->dxfer_len)
			n = h->dxfer_len;
		memcpy(h->dxferp, a->bytes, n);
		h->resid = (int)(h->dxfer_len - n);
	} else if (!a || a->what == SENSE) {
		if (n > h->mx_sb_len)
			n = h->mx_sb_len;
		memcpy(h->sbp, sense, n);
		h->sb_len_wr = (unsigned char)n;
		h->status = 2;
		h->masked_status = 1;
		h->driver_status = 8;
		h->info = 1;
	}
	return 0;
}

static int nvme(struct nvme_admin_cmd *c)
{
	uint8_t bytes[3] = {c->opcode, (uint8_t)c->cdw10, (uint8_t)(c->cdw10 >> 8)};
	const struct answer *a = find(1, bytes, 2);

	note("nvme", bytes, 3);
	if (!a)
		return 0x4002;
	memset((void *)(uintptr_t)c->addr, 0, c->data_len);
	memcpy((void *)(uintptr_t)c->addr, a->bytes, a->n < c->data_len ? a->n : c->data_len);
	return 0;
}

int ioctl(int fd, unsigned long request, ...)
{
	struct stat st;
	va_list ap;
	void *argument;

	va_start(ap, request);
	argument = va_arg(ap, void *);
	va_end(ap);
	if (!n_answers || fstat(fd, &st) != 0 || !S_ISBLK(st.st_mode) || st.st_rdev != device)
		return real_ioctl(fd, request, argument);
	if (request == SG_IO && any_scsi)
		return scsi(argument);
	if (request == NVME_IOCTL_ADMIN_CMD && any_nvme)
		return nvme(argument);
	if (request == NVME_IOCTL_ID && any_nvme)
		return 1;
	if (request == SG_GET_VERSION_NUM && any_scsi) {
		*(int *)argument = 30536;
		return 0;
	}
	return real_ioctl(fd, request, argument);
}
