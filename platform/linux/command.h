/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one place from which commands go to a drive. Each is held against a table of what may be sent
 * the moment before it is, whoever made it: reads of what a drive knows about itself, with data coming
 * in or none at all. Everything else is refused here with -EPERM and never leaves the process. */
#ifndef PLATFORM_LINUX_COMMAND_H
#define PLATFORM_LINUX_COMMAND_H

#include <linux/nvme_ioctl.h>
#include <scsi/sg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A drive that has to spin up first needs long; a shorter limit makes the kernel reset its link. */
#define COMMAND_LIMIT_MS 20000u

/* What is known of who is asked, as far as it decides what may be asked. */
struct command_scope {
	bool ata;  /* a disk (peripheral type 00h or 14h): A1h and 85h carry ATA commands to it, while
		    * A1h is BLANK to an optical drive */
	bool farm; /* its IDENTIFY data says Seagate: log A6h is known there */
};

/* May exactly this be sent? Looks at every byte of the command, its length, direction, time limit
 * and the length of the data. */
bool command_scsi_allowed(const struct sg_io_hdr *header, const struct command_scope *scope);
bool command_nvme_allowed(const struct nvme_admin_cmd *command);

/* Sends it if it is allowed. 0: the system took it, the answer and its status are in the header;
 * -EPERM also when not allowed; else negative errno of the system. */
int command_scsi(int fd, struct sg_io_hdr *header, const struct command_scope *scope);
/* The same: 0, a positive NVMe status, or negative errno. */
int command_nvme(int fd, struct nvme_admin_cmd *command);

/* What the system lets be sent to fd, by its own word and without a command to the drive. */
enum command_door { COMMAND_DOOR_NONE, COMMAND_DOOR_SCSI, COMMAND_DOOR_NVME };
/* *nsid: of the namespace, for COMMAND_DOOR_NVME. */
enum command_door command_door_of(int fd, uint32_t *nsid);

#endif
