/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One row a member; identity's names are smartctl's where the meaning is the same. Error numbers
 * differ between systems, so a document holds their names. */
#include "doc/doc_fields.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doc/doc.h"

#define AT(member) offsetof(struct doc, member)
#define STRING(object, name, member) \
	{object, name, FIELD_STRING, 0, AT(member), sizeof(((struct doc *)0)->member), 0}
#define SECRET(object, name, member) \
	{object, name, FIELD_SECRET, 0, AT(member), sizeof(((struct doc *)0)->member), 0}
#define NUMBER(object, name, type, member) {object, name, type, 0, AT(member), 0, 0}
#define ALWAYS(object, name, type, member) {object, name, type, 1, AT(member), 0, 0}
#define FLAG(object, name, member) {object, name, FIELD_FLAG, 0, AT(member), 0, AT(member##_known)}

static const struct field fields[] = {
	STRING("host", "kernel", host.kernel),
	STRING("host", "machine", host.machine),
	STRING("host", "cpu", host.cpu),
	NUMBER("host", "cpus", FIELD_U32, host.cpus),
	NUMBER("host", "memory_bytes", FIELD_U64, host.memory_bytes),
	STRING("host", "clock", host.clock),
	STRING("host", "virtual_machine", host.virtual_machine),

	ALWAYS("settings", "seed", FIELD_U64, settings.seed),
	STRING("settings", "effort", settings.effort),
	NUMBER("settings", "runs", FIELD_U32, settings.runs),
	NUMBER("settings", "plan_version", FIELD_U32, settings.plan_version),
	ALWAYS("settings", "from_bytes", FIELD_U64, settings.from_bytes),
	ALWAYS("settings", "to_bytes", FIELD_U64, settings.to_bytes),
	NUMBER("settings", "max_time_s", FIELD_REAL, settings.max_time_s),
	STRING("settings", "direct", settings.direct),
	STRING("settings", "read_method", settings.read_method),
	STRING("settings", "queue_method", settings.queue_method),

	STRING("run", "start_time", start_time),
	STRING("run", "end_time", end_time),
	ALWAYS("run", "elapsed_s", FIELD_REAL, elapsed_s),

	STRING("identity", "kind", identity.device_type),
	STRING("identity", "transport", identity.transport),
	STRING("identity", "scsi_vendor", identity.vendor),
	STRING("identity", "model_name", identity.model_name),
	SECRET("identity", "serial_number", identity.serial_number),
	STRING("identity", "firmware_version", identity.firmware_version),
	SECRET("identity", "logical_unit_id", identity.wwn),
	NUMBER("identity", "logical_block_size", FIELD_U32, identity.logical_block_bytes),
	NUMBER("identity", "physical_block_size", FIELD_U32, identity.physical_block_bytes),
	STRING("identity", "parent", identity.parent),
	NUMBER("identity", "start_bytes", FIELD_U64, identity.start_bytes),
	STRING("identity", "backing", identity.backing),
	FLAG("identity", "rotational", identity.rotating),
	NUMBER("identity", "rotation_rate", FIELD_U32, identity.reported_rpm),
	FLAG("identity", "removable", identity.removable),
	FLAG("identity", "read_only", identity.read_only),
	STRING("identity", "scheduler", identity.scheduler),
	NUMBER("identity", "max_request_bytes", FIELD_U32, identity.max_request_bytes),
	NUMBER("identity", "queue_depth", FIELD_U32, identity.queue_depth),
	NUMBER("identity", "read_ahead_bytes", FIELD_U32, identity.read_ahead_bytes),
	STRING("identity", "in_use", identity.in_use),
};

const struct field *field_at(size_t i)
{
	return i < sizeof(fields) / sizeof(fields[0]) ? &fields[i] : NULL;
}

static const struct {
	int number;
	const char *name;
} errors[] = {
	{EIO, "EIO"}, {ENODEV, "ENODEV"}, {ENXIO, "ENXIO"}, {ENODATA, "ENODATA"}, {ETIME, "ETIME"},
	{ETIMEDOUT, "ETIMEDOUT"}, {EILSEQ, "EILSEQ"}, {ENOLINK, "ENOLINK"}, {EINTR, "EINTR"},
	{EINVAL, "EINVAL"}, {ENOMEM, "ENOMEM"}, {EAGAIN, "EAGAIN"}, {EBUSY, "EBUSY"},
	{EACCES, "EACCES"}, {EPERM, "EPERM"}, {ECANCELED, "ECANCELED"}, {EBADMSG, "EBADMSG"},
	{EPROTO, "EPROTO"}, {ENOSPC, "ENOSPC"}, {EFAULT, "EFAULT"}, {EPIPE, "EPIPE"},
	{ENOTSUP, "ENOTSUP"},
#ifdef EREMOTEIO
	{EREMOTEIO, "EREMOTEIO"},
#endif
#ifdef EBADE
	{EBADE, "EBADE"},
#endif
#ifdef ENOMEDIUM
	{ENOMEDIUM, "ENOMEDIUM"},
#endif
};

const char *errno_name(char *buffer, size_t size, int error)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (errors[i].number == -error)
			return errors[i].name;
	snprintf(buffer, size, "E%d", -error);
	return buffer;
}

int errno_of_name(const char *name)
{
	char *end;
	long n;

	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (strcmp(errors[i].name, name) == 0)
			return -errors[i].number;
	if (name[0] != 'E' || name[1] < '1' || name[1] > '9')
		return 0;
	n = strtol(name + 1, &end, 10);
	return *end || n > 4095 ? 0 : (int)-n;
}
