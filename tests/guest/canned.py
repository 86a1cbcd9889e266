#!/usr/bin/env python3
"""canned.py DIR LOOP PLATTER: makes the answers of drives byte by byte (ACS-5, SPC-5, SAT-5, NVM Express
2.0), has platter and smartctl ask them (canned.c in front of LOOP), and compares."""
import json
import os
import re
import subprocess
import sys

import compare

DIR, LOOP, PLATTER = sys.argv[1:4]
BLOCKS = 100 * 1024 * 1024 // 512
ILLEGAL = '70000500000000' + '0a00000000200000000000'


def swapped(text, n):
    raw = text.encode().ljust(n)
    return b''.join(raw[i + 1:i + 2] + raw[i:i + 1] for i in range(0, n, 2))


def closed(data):
    """With the checksum that makes the sum of all bytes zero."""
    data[511] = 0
    data[511] = -sum(data) & 0xFF
    return data


def identify(model, rpm):
    data = bytearray(512)

    def word(n, value):
        data[2 * n:2 * n + 2] = value.to_bytes(2, 'little')
    for n, value in ((0, 0x40), (49, 0x0F00), (53, 7), (75, 31), (76, 0x010E), (77, 0x0004), (80, 0x01F0), (82, 0x0069),
                     (83, 0x7409), (84, 0x4163), (85, 0x0069), (86, 0x3409), (87, 0x4163), (91, 0x0080),
                     (106, 0x6003), (168, 3), (206, 0x0009), (217, rpm), (222, 0x107F)):
        word(n, value)
    data[20:40] = swapped('SERIAL-CANNED', 20)
    data[46:54] = swapped('FW9', 8)
    data[54:94] = swapped(model, 40)
    data[120:124] = BLOCKS.to_bytes(4, 'little')
    data[200:208] = BLOCKS.to_bytes(8, 'little')
    for i, value in enumerate((0x5000, 0xC500, 0x1234, 0x5678)):
        word(108 + i, value)
    data[510] = 0xA5
    return closed(data)


def attributes(rows):
    values, limits = bytearray(512), bytearray(512)
    values[0] = limits[0] = 16
    for i, (number, flags, value, worst, limit, raw) in enumerate(rows):
        at = 2 + 12 * i
        values[at:at + 11] = bytes([number]) + flags.to_bytes(2, 'little') + bytes([value, worst]) + \
            raw.to_bytes(6, 'little')
        limits[at:at + 2] = bytes([number, limit])
    values[362] = 0x82
    values[367] = 0x5B
    values[368] = 3
    return closed(values), closed(limits)


def registers(count=0, mid=0, high=0):
    return bytes([0x72, 1, 0, 0x1D, 0, 0, 0, 14, 9, 12, 0, 0, 0, count, 0, 0, 0, mid, 0, high, 0, 0x50]).hex()


def in_fixed(count=0, mid=0, high=0):
    return bytes([0x70, 0, 1, 0, 0x50, 0, count, 10, 0, 0, mid, high, 0, 0x1D, 0, 0, 0, 0]).hex()


def inquiry(vendor, product, revision, length=96):
    data = bytearray(length)
    data[2:5] = bytes([6, 2, length - 5])
    data[8:16] = vendor.encode().ljust(8)
    data[16:32] = product.encode().ljust(16)[:16]
    data[32:36] = revision.encode().ljust(4)
    return data


def ata(data, limits, ident, form, good):
    power = form(0xFF) if form else None
    status = form(0, *((0x4F, 0xC2) if good else (0xF4, 0x2C))) if form else None
    log = closed(bytearray([1]) + bytearray(511))
    c = '85????'
    return [f'cdb 1200 data {inquiry("ATA", "CANNED", "FW9").hex()}',
            'cdb 120100 data 00000003008089',
            f'cdb 120180 data 0080000d{b"SERIAL-CANNED".hex()}',
            f'cdb 120189 data 00890238{bytes(56).hex()}{ident.hex()}',
            f'cdb 85{"??" * 13}ec data {ident.hex()}', f'cdb a1{"??" * 8}ec data {ident.hex()}',
            f'cdb 85{"??" * 13}e5 ' + (f'sense {power}' if form else 'nothing'),
            f'cdb {c}00da{"??" * 9}b0 ' + (f'sense {status}' if form else 'nothing'),
            f'cdb {c}00d0{"??" * 9}b0 data {data.hex()}', f'cdb {c}00d1{"??" * 9}b0 data {limits.hex()}',
            f'cdb {c}00d5{"??" * 9}b0 data {log.hex()}',
            f'cdb 9e10 data {(BLOCKS - 1).to_bytes(8, "big").hex()}00000200{"00" * 20}', 'cdb 000000000000 nothing']


def page(number, subpage, parameters):
    body = b''.join(n.to_bytes(2, 'big') + b'\x03' + bytes([len(v)]) + v for n, v in parameters)
    return bytes([number | (0x40 if subpage else 0), subpage]) + len(body).to_bytes(2, 'big') + body


def sas():
    def counter(n, value):
        return n, value.to_bytes(8, 'big')
    listed = bytes([0, 2, 3, 5, 6, 0x0D, 0x0E, 0x15, 0x2F])
    counters = [counter(0, 7), counter(1, 1), counter(2, 3), counter(3, 11), counter(4, 12), counter(5, 5 * 10 ** 12),
                counter(6, 23)]
    logs = {0: bytes([0, 0, 0, len(listed)]) + listed, 2: page(2, 0, counters), 3: page(3, 0, counters),
            5: page(5, 0, counters), 6: page(6, 0, [counter(0, 9)]),
            0x0D: page(0x0D, 0, [(0, b'\0\x33'), (1, b'\0\x41')]),
            0x0E: page(0x0E, 0, [(1, b'201849'), (2, b'      '), (3, (50000).to_bytes(4, 'big')),
                                 (4, (77).to_bytes(4, 'big')), (5, (600000).to_bytes(4, 'big')),
                                 (6, (88).to_bytes(4, 'big'))]),
            0x15: page(0x15, 0, [(0, (3000000).to_bytes(4, 'big') + bytes([0, 8]) + bytes(6))]),
            0x2F: page(0x2F, 0, [(0, bytes([0x5D, 0x14, 0x33, 0]))])}
    exceptions = bytes([0x1C, 10, 0, 4]) + bytes(8)
    ie, ie_six = bytes([0, 18, 0, 0x10, 0, 0, 0, 0]) + exceptions, bytes([15, 0, 0x10, 0]) + exceptions
    lines = [f'cdb 1200 data {inquiry("SEAGATE", "ST600MP9999", "N003").hex()}',
             'cdb 120100 data 00000004008083b1', f'cdb 120180 data 0080000c{b"CANNEDSAS001".hex()}',
             'cdb 120183 data 0083000c010300085000c500aabbccdd',
             f'cdb 1201b1 data 00b1003c3aa70003{"00" * 56}',
             f'cdb 9e10 data {(BLOCKS - 1).to_bytes(8, "big").hex()}00000200{"00" * 20}',
             f'cdb 25 data {(BLOCKS - 1).to_bytes(4, "big").hex()}00000200',
             f'cdb 5a??1c data {ie.hex()}', f'cdb 1a??1c data {ie_six.hex()}', 'cdb 000000000000 nothing',
             'cdb b70c data 000c000000000828', 'cdb 370000 sense ' + ILLEGAL]
    return lines + [f'cdb 4d00{n | 0x40:02x}00 data {data.hex()}' for n, data in logs.items()]


def nvme():
    controller, namespace, log = bytearray(4096), bytearray(4096), bytearray(512)
    controller[4:24] = b'CANNEDNVME1'.ljust(20)
    controller[24:64] = b'CANNED NVME'.ljust(40)
    controller[64:72] = b'9.9'.ljust(8)
    controller[80:84] = (0x10400).to_bytes(4, 'little')
    controller[261] = 2
    controller[266:270] = (343).to_bytes(2, 'little') + (358).to_bytes(2, 'little')
    controller[516] = 1
    for at in (0, 8, 16):
        namespace[at:at + 8] = BLOCKS.to_bytes(8, 'little')
    namespace[130] = 9
    log[0:6] = bytes([0x0D]) + (359).to_bytes(2, 'little') + bytes([3, 10, 255])
    for at, value in ((32, 123456), (48, 2 ** 70 + 5), (64, 99), (112, 41), (128, 61000), (144, 17), (160, 75664), (176, 3)):
        log[at:at + 16] = value.to_bytes(16, 'little')
    return [f'nvme 06 01 data {controller.hex()}', f'nvme 06 00 data {namespace.hex()}', f'nvme 02 02 data {log.hex()}']


FAILING = [(1, 0x0F, 80, 60, 6, 0), (3, 3, 97, 97, 0, 0), (5, 0x33, 1, 1, 36, 53045), (9, 0x32, 77, 77, 0, 20188),
           (12, 0x32, 100, 100, 0, 37), (187, 0x32, 1, 1, 0, 3367), (188, 0x32, 100, 95, 0, 197573214335),
           (190, 0x22, 39, 30, 45, 61), (194, 0x22, 61, 70, 0, 61), (197, 0x12, 98, 98, 0, 152),
           (198, 0x10, 98, 98, 0, 152), (199, 0x3E, 200, 200, 0, 4)]


def drives():
    data, limits = attributes(FAILING)
    ident = identify('ST10000NE9999-1ZF101', 7200)
    yield 'failing SATA disk', 'sat', ata(data, limits, ident, registers, False)
    yield 'the same, fixed sense', 'sat', ata(data, limits, ident, in_fixed, False)
    yield 'the same, sense lost', 'sat', ata(data, limits, ident, None, False)
    yield 'failing SAS disk', 'scsi', sas()
    yield 'worn NVMe drive', 'nvme', nvme()


def run(command, answers, log=None):
    environment = dict(os.environ, LD_PRELOAD=f'{DIR}/canned.so', CANNED_DEV=LOOP, CANNED_ANSWERS=answers)
    if log:
        with open(log, 'wb') as f:
            f.truncate(1 << 20)
        environment['CANNED_LOG'] = log
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    try:
        return json.loads(done.stdout), done
    except ValueError:
        return {}, done


def sleeping():
    """A disk that sleeps is asked whether it does, and nothing that would wake it; nor is it read."""
    data, limits = attributes(FAILING)
    lines = ata(data, limits, identify('SLEEPER', 7200), registers, True)
    answers, log = f'{DIR}/answers', f'{DIR}/log'
    with open(answers, 'w', encoding='ascii') as f:
        f.write('\n'.join(f'cdb 85{"??" * 13}e5 sense {registers(0)}' if 'e5 sense' in l else l for l in lines))
    stat = f'/sys/block/{os.path.basename(LOOP)}/stat'
    with open(stat, encoding='ascii') as f:
        before = f.read().split()[0]
    document, _ = run([PLATTER, 'smart', '--json', LOOP], answers, log)
    with open(stat, encoding='ascii') as f:
        reads = int(f.read().split()[0]) - int(before)
    asked = commands(log)
    wrong = [a for a in asked if not re.match(r'(00|12|9e) |85.*e5 00$', a[5:])]
    compare.tell(document and asked and not wrong and not reads and any(a.endswith('e5 00') for a in asked),
                 f'sleeping SATA disk: {len(asked)} commands, {reads} reads, left asleep', wrong)


def commands(log):
    with open(log, 'rb') as f:
        return f.read()[8:].split(b'\0')[0].decode().splitlines()


def main():
    for name, kind, lines in drives():
        answers, log = f'{DIR}/answers', f'{DIR}/log'
        with open(answers, 'w', encoding='ascii') as f:
            f.write('\n'.join(lines) + '\n')
        theirs, _ = run(['smartctl', '--json', '-x', '-d', kind, LOOP], answers)
        document, done = run([PLATTER, 'smart', '--json', '--show-serial', LOOP], answers, log)
        if not document:
            compare.tell(False, f'{name}: platter smart', done.stderr.decode().splitlines())
            continue
        ours = dict(compare.leaves(document.get('identity', {})))
        ours.update(compare.leaves(document.get('smart', {})))
        if os.environ.get('CANNED_KEEP'):
            json.dump(theirs, open(f"{os.environ['CANNED_KEEP']}/{kind}.smartctl", 'w'), indent=1)
            json.dump(document, open(f"{os.environ['CANNED_KEEP']}/{kind}.platter", 'w'), indent=1)
        if 'sense lost' in name:
            theirs.pop('smart_status', None)  # smartctl makes one of the attributes, platter says it is not told
        compare.compare(f'{name} as smartctl', compare.leaves(theirs), ours)
        signs = document.get('signs', [])
        compare.tell(done.returncode == 1 and any(s.get('severity') == 'reject' for s in signs),
                     f'{name}: {len(signs)} signs, the drive is turned down', [str(s) for s in signs][:3])
        asked = commands(log)
        wrong = [a for a in asked if not (
            any(re.match(p, a[5:]) for p in compare.ALLOWED) if a.startswith('scsi') else
            re.match(r'nvme (06 0[01] 00|02 0[26] 80)', a))]
        compare.tell(asked and not wrong, f'{name}: {len(asked)} commands, all allowed', wrong)
    sleeping()
    print(f'1..{len(compare.results)}')
    return 0 if all(compare.results) else 1


sys.exit(main())
