#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""accuracy.py DIRECTORY: the page tests/device-accuracy.md from what scripts/bench-device left there.
accuracy.py --line RUN: one line of it.

A figure that was refused is "-". The curve of the zones is compared part by part with the mean rate
of that part, in time per byte; moves with the bare moves that are planted (a prober takes the time of
a read without a move off, and with it what the bed's own pipe costs). Random reads: the planted mean
and the median of what the pipe adds, met at real-time priority."""
import glob
import json
import os
import sys

HEAD = """# Accuracy on simulated drives that are real block devices

Made by `make bench-device`. Bars: rpm within 0.05 %, zone curve within 1 % on average, moves within
0.3 ms, processor of the prober at most 5 % of one core on the 7200 rpm drive. `idle`: nothing of the
bench's own ran beside; `busy`: a busy loop did; `load` is the machine's load average at the end of
the run, which counts everything else that ran on its {cpus} cores, `late` how many of the bed's
replies left more than 50 us after their time: figures of a run with many are the bed's too.
`zones`: relative mean difference of the curve; moves: ms off; `access`: off the planted mean with
the median cost of the pipe. `-`: refused, or not measured.

| rpm | sector | | made | rpm error | zones | shortest | third | full | average | access | class | drive s | cpu | load | late |
|---:|---:|---|---|---:|---:|---:|---:|---:|---:|---:|---|---:|---:|---:|---:|
"""


def known(document, key):
    f = document["findings"].get(key)
    return f["value"] if f and f["how"] != "unknown" and "value" in f else None


def mean_s_per_byte(rates, start, end):
    total = 0.0
    for low, high, rate in rates:
        overlap = min(high, end) - max(low, start)
        if overlap > 0:
            total += overlap / rate
    return total / (end - start)


def zones_off(document, rates):
    """Mean over the drive of the relative difference; parts adjoin, each row stands in its middle."""
    series = document["series"].get("zones.rate")
    if not series or not series["rows"]:
        return None
    size = rates[-1][1]
    start, off, bytes_all = 0, 0.0, 0.0
    for middle, value, *_ in series["rows"]:
        end = min(2 * middle - start, size)
        if end <= start:
            return None
        truth = 1 / mean_s_per_byte(rates, start, end)
        off += abs(value / truth - 1) * (end - start)
        bytes_all += end - start
        start = end
    return off / bytes_all


def percent(x, digits):
    return "-" if x is None else f"{x:+.{digits}%}".replace("%", " %")


def off_ms(document, key, least, most):
    value = known(document, key)
    if value is None:
        return "-"
    return f"{(value - min(max(value, least), most)) * 1e3:+.3f}"


def row(run):
    def load(kind):
        with open(f"{run}.{kind}", encoding="utf-8") as f:
            return json.load(f)
    r, document, expect, pipe = load("run"), load("doc"), load("expect"), load("pipe")
    rpm, access = known(document, "rotation.rpm"), known(document, "access.mean_s")
    zones = zones_off(document, expect["rates"])
    seek = expect["seek"] or {}
    third, full, average = (seek.get(k, 0) for k in ("third_s", "full_s", "average_s"))
    elapsed_s = document["run"]["elapsed_s"]
    kind = document["findings"].get("class.kind", {"text": "(no such probe yet)"})
    cells = [
        f"{r['rpm']}", f"{r['block']}", r["load"], r["at"],
        percent(rpm / expect["turns_per_s"] / 60 - 1 if rpm else None, 4),
        "-" if zones is None else f"{zones:.2%}".replace("%", " %"),
        off_ms(document, "seek.shortest_s", seek.get("shortest_least_s", 0), seek.get("shortest_most_s", 0)),
        off_ms(document, "seek.third_stroke_s", third, third),
        off_ms(document, "seek.full_stroke_s", full, full),
        off_ms(document, "seek.average_s", average, average),
        percent(access / (expect["access"]["mean_s"] + pipe["added_p50_s"]) - 1 if access else None, 2),
        kind.get("text") or "-",
        f"{elapsed_s:.0f}",
        "-" if r["cpu_ns"] is None else f"{r['cpu_ns'] / 1e9 / elapsed_s:.1%}".replace("%", " %"),
        r["loadavg"],
        f"{r['stats']['late_over_50us']} of {r['stats']['reads']}",
    ]
    return "| " + " | ".join(cells) + " |"


def main():
    if sys.argv[1] == "--line":
        print(row(sys.argv[2]))
        return
    runs = [p[:-4] for p in glob.glob(os.path.join(sys.argv[1], "*.run"))]
    runs.sort(key=lambda p: (os.path.basename(p).split("-")[2] == "busy",
                             [int(x) for x in os.path.basename(p).split("-")[:2]]))
    print(HEAD.format(cpus=os.cpu_count()) + "\n".join(row(p) for p in runs))


if __name__ == "__main__":
    main()
