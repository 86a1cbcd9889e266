#!/usr/bin/env python3
"""compare.py DIR: what test_drives.sh had all programs say of each drive, field by field, as TAP.

A field that smartctl, hdparm, nvme, sg_vpd or lsblk tells must be told by platter with the same value,
but for those in LEFT_OUT, each with its reason. And of the kernel's trace of commands: `platter list`
sent none, `platter smart` sent only what the table here allows."""
import json
import os
import re
import sys

LEFT_OUT = [
    (r'^(json_format_version|smartctl|local_time|device\.|in_smartctl_database)', 'smartctl about itself'),
    (r'^device_type\.scsi_terminology', 'the name of a name'),
    (r'\.string$|\.name$', 'words for a number that is compared'),
    (r'^ata_smart_data\.capabilities\.', 'what could be started, which platter never does'),
    (r'^ata_smart_data\.offline_data_collection\.', 'the same'),
    (r'^ata_smart_data\.self_test\.polling_minutes', 'the same'),
    (r'^scsi_environmental_reports\.', 'humidity and such of the box it is in'),
    (r'^ata_log_directory\.', 'which logs there are, not what is in them'),
    (r'^ata_smart_selective_self_test_log\.', 'what a self-test would look at, log 09h, which is not read'),
    (r'^smart_status\.nvme\.(?!value$)', 'bits of smart_status.nvme.value'),
    (r'^scsi_lb_provisioning\.read_zeros\.value$', None),  # means nothing where no block is unmapped
    (r'^nvme_namespaces\[0\]\.id$', 'the one that is asked has no other name'),
    (r'_le\[\d+\]$|_s$', 'the same number once more'),
    (r'^(temperature\.current|scsi_temperature\.drive_trip)$', None),  # 0 stands for "not told", below
    (r'^(ata_version\.minor_value|ata_smart_attributes\.revision|.*log.*\.revision)$', 'of no use to anybody'),
]
COUNTS = re.compile(r'data_units|host_reads|host_writes|busy_time|power_on|io_errors|raw\.value')

results = []


def tell(good, name, lines=()):
    results.append(good)
    print(f"{'ok' if good else 'not ok'} {len(results)} - {name}")
    for line in lines:
        print(f'#   {line}')


def leaves(value, path=''):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, f'{path}.{key}' if path else key)
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from leaves(inner, f'{path}[{i}]')
    else:
        yield path, value


def load(path):
    try:
        with open(path, encoding='utf-8', errors='replace') as f:
            return json.load(f)
    except (OSError, ValueError):
        return None


def text(path):
    try:
        with open(path, encoding='utf-8', errors='replace') as f:
            return f.read()
    except OSError:
        return ''


def squeeze(value):
    """Blanks do not count in names."""
    return ' '.join(value.split()) if isinstance(value, str) else value


def same(path, theirs, ours):
    if squeeze(theirs) == squeeze(ours):
        return True
    if isinstance(theirs, (int, float)) and isinstance(ours, (int, float)):
        return float(theirs) == float(ours) or (COUNTS.search(path) and ours <= theirs)
    return str(theirs) == str(ours)


def reason(path, value):
    if path == 'smart_support.available' and value is False:
        return 'platter counts the checks that could not be made'
    if path == 'rotation_rate' and value == 0:
        return 'smartctl says 0 of a drive that does not report it; sg_vpd tells the two apart'
    for pattern, why in LEFT_OUT:
        if re.search(pattern, path) and (why or value == 0):
            return why or '0 stands for "not told"'
    if value == '' or value == -1 or (isinstance(value, str) and value.startswith('error')):
        return 'nothing is told by it'
    return None


def compare(name, wanted, ours):
    """wanted: pairs of path and value; ours: the paths of platter."""
    wrong, n = [], 0
    for path, value in wanted:
        if reason(path, value):
            continue
        n += 1
        if path not in ours:
            wrong.append(f'{path} is {value!r}, platter does not tell it')
        elif not same(path, value, ours[path]):
            wrong.append(f'{path} is {value!r}, platter says {ours[path]!r}')
    tell(not wrong and n, f'{name}: {n} fields', wrong)


HDPARM = [
    (r'Model Number:\s+(.*)', 'model_name', str),
    (r'Serial Number:\s+(.*)', 'serial_number', str),
    (r'Firmware Revision:\s+(.*)', 'firmware_version', str),
    (r'LBA48\s+user addressable sectors:\s+(\d+)', 'user_capacity.blocks', int),
    (r'Logical\s+Sector size:\s+(\d+)', 'logical_block_size', int),
    (r'Physical Sector size:\s+(\d+)', 'physical_block_size', int),
    (r'Nominal Media Rotation Rate: (\d+)', 'rotation_rate', int),
    (r'Queue depth: (\d+)', 'platter.queue_depth', int),
    (r'([ *])\s*\tSMART feature set', 'smart_support.enabled', lambda s: s == '*'),
    (r'([ *])\s*\tWrite cache', 'write_cache.enabled', lambda s: s == '*'),
    (r'([ *])\s*\tLook-ahead', 'read_lookahead.enabled', lambda s: s == '*'),
]


def of_hdparm(said):
    for pattern, path, kind in HDPARM:
        found = re.search(pattern, said)
        if found and found.group(1).strip() + 'x' != 'x':
            yield path, kind(found.group(1).strip())


CONTROLLER = {'sn': 'serial_number', 'mn': 'model_name', 'fr': 'firmware_version',
              'wctemp': 'nvme_composite_temperature_threshold.warning',
              'cctemp': 'nvme_composite_temperature_threshold.critical'}
LOG = {'critical_warning': 'critical_warning', 'temperature': 'temperature', 'avail_spare': 'available_spare',
       'spare_thresh': 'available_spare_threshold', 'percent_used': 'percentage_used',
       'data_units_read': 'data_units_read', 'data_units_written': 'data_units_written',
       'host_read_commands': 'host_reads', 'host_write_commands': 'host_writes',
       'controller_busy_time': 'controller_busy_time', 'power_cycles': 'power_cycles',
       'power_on_hours': 'power_on_hours', 'unsafe_shutdowns': 'unsafe_shutdowns',
       'media_errors': 'media_errors', 'num_err_log_entries': 'num_err_log_entries',
       'warning_temp_time': 'warning_temp_time', 'critical_comp_time': 'critical_comp_time'}


def of_nvme(controller, log):
    for key, path in CONTROLLER.items():
        value = controller[key]
        yield path, value - 273 if key.endswith('temp') else value
    for key, path in LOG.items():
        value = int(log[key])
        yield f'nvme_smart_health_information_log.{path}', value - 273 if key == 'temperature' else value


def of_vpd(identification, characteristics):
    found = re.search(r'NAA,  code set: Binary\s+(0x[0-9a-f]+)', identification)
    if found:
        yield 'logical_unit_id', found.group(1)
    found = re.search(r'Nominal rotation rate: (\d+) rpm', characteristics)
    if found:
        yield 'rotation_rate', int(found.group(1))
    if 'non-rotating' in characteristics:
        yield 'rotation_rate', 0


LSBLK = {'size': 'size_bytes', 'log-sec': 'logical_block_size', 'phy-sec': 'physical_block_size',
         'rota': 'rotational', 'rm': 'removable', 'ro': 'read_only', 'rev': 'firmware_version'}


def of_list(seen):
    ours = {d['name'].split('/')[-1]: d for d in (load(f'{seen}/list') or {}).get('drives', [])}
    for theirs in (load(f'{seen}/lsblk') or {}).get('blockdevices', []):
        name = theirs['name']
        if name.startswith('loop') and name not in ours:
            continue  # a loop device with no file behind it
        if not theirs['size']:
            tell(ours.get(name, {}).get('size_bytes') == 0, f'list: {name} is listed, with no medium in it')
            continue
        wanted = [(path, theirs[key]) for key, path in LSBLK.items() if theirs.get(key) is not None]
        compare(f'list: {name} as lsblk', [w for w in wanted if w[1] != ''], dict(leaves(ours.get(name, {}))))


def of_drive(seen, name):
    document = load(f'{seen}/{name}.platter') or {}
    ours = dict(leaves(document.get('identity', {})))
    ours.update(leaves(document.get('smart', {})))
    smartctl = load(f'{seen}/{name}.smartctl')
    if not document:
        tell(False, f'{name}: platter smart', text(f'{seen}/{name}.platter.err').splitlines())
        return
    if any(v == 'MADE-UP' for v in (smartctl or {}).values()):
        # scsi_debug's page 89h, "ATA information", is another drive's
        smartctl = {k: smartctl[k] for k in ('logical_block_size', 'scsi_protection_type', 'scsi_lb_provisioning',
                                             'logical_unit_id', 'smart_support') if k in smartctl}
        smartctl['smart_support'].pop('enabled', None)
    # of a USB bridge that it does not know smartctl tells nothing
    if smartctl and 'smart_support' in smartctl:
        compare(f'{name} as smartctl', leaves(smartctl), ours)
    if os.path.exists(f'{seen}/{name}.hdparm'):
        compare(f'{name} as hdparm', of_hdparm(text(f'{seen}/{name}.hdparm')), ours)
    controller, log = load(f'{seen}/{name}.idctrl'), load(f'{seen}/{name}.smartlog')
    if controller and log:
        compare(f'{name} as nvme', of_nvme(controller, log), ours)
    pages = list(of_vpd(text(f'{seen}/{name}.vpd83'), text(f'{seen}/{name}.vpdb1')))
    if pages and name.startswith('sd'):
        compare(f'{name} as sg_vpd', pages, ours)


# the first bytes of what may be asked (docs of each: platform/linux/command.c); reads of sectors are
# the search for what is on the drive
ALLOWED = [r'00( 00){5}$', r'12 0[01] ', r'1a [08]0 [0-3]', r'5a [08]0 [0-3]', r'4d 00 [4-7]', r'9e 10 ',
           r'37 00 0[89a-f] ', r'b7 0[89a-f] ', r'a1 08 0e 00 01 00 00 00 00 ec 00 00$',
           r'85 08 0e 00 00 00 01 00 00 00 00 00 00 00 ec 00$', r'85 06 20 ([0-9a-f]{2} ){11}e5 00$',
           r'85 06 20 00 da ([0-9a-f]{2} ){9}b0 00$',
           r'85 08 0e 00 d[01] 00 01 00 00 00 4f 00 c2 00 b0 00$',
           r'85 08 0e 00 d5 00 [01][0-9a-f] 00 (00|01|04|06|e0) 00 4f 00 c2 00 b0 00$',
           r'85 09 0e 00 00 00 [012][0-9a-f] 00 (00|02|03|04|07|0c|11|30) [0-9a-f]{2} [0-9a-f]{2} 00 00 00 2f 00$',
           r'(28|88|08) ', r'7f( [0-9a-f]{2}){7} 00 09 ',
           # what the kernel itself sends when a medium that can be taken out is opened, and at the end
           r'1e 00 00 00 0[01] 00$', r'25( 00){9}$']
NVME = [r'nvme_admin_identify cns=[01],', r'nvme_admin_get_log_page cdw10=0[26] 8', r'nvme_cmd_read ']


def of_trace(folder):
    for name in sorted(os.listdir(folder)):
        if not name.startswith('trace.'):
            continue
        lines = [l for l in text(f'{folder}/{name}').splitlines() if 'platter-' in l or name == 'trace.list']
        sent = [m.group(1) for l in lines for m in [re.search(r'raw=([0-9a-f ]+)\)', l)] if m]
        admin = [m.group(1) for l in lines for m in [re.search(r'nvme_setup_cmd: .*cmd=\((.*)\)', l)] if m]
        wrong = [s for s in sent if not any(re.match(a, s) for a in ALLOWED)]
        wrong += [s for s in admin if not any(re.match(a, s) for a in NVME)]
        if name == 'trace.list':
            wrong = sent + admin
        reads = sum(1 for s in sent + admin if re.match(r'(28|88|08|7f) |nvme_cmd_read', s))
        tell(not wrong, f'{name[6:]}: {len(sent) + len(admin) - reads} commands about the drive, '
             f'{reads} reads, all allowed', wrong)


def main():
    folder = sys.argv[1]
    seen = f'{folder}/seen'
    of_list(seen)
    names = sorted(f[:-6] for f in os.listdir(seen) if f.endswith('.sysfs'))
    for name in names:
        if name.startswith(('md', 'vd')):
            said = text(f'{seen}/{name}.platter.err') + text(f'{seen}/{name}.platter')
            tell(said != '', f'{name}: says why it cannot be asked')
        else:
            of_drive(seen, name)
    of_trace(folder)
    tell(any(n.startswith('md10') for n in names), 'md RAID10 was there')
    print(f'1..{len(results)}')
    return 0 if all(results) else 1


if __name__ == '__main__':
    sys.exit(main())
