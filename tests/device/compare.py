#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""compare.py DOCUMENT EXPECTED ENDS PIPE: a document of a bed drive beside what was planted in it.

EXPECTED, ENDS: beddrive --expect, for strata finer than the points of the curve and for the 32 of
which the first and the last are the ends; PIPE: beddrive --pipe, the measured cost of what lies between prober and
drive, which a prober cannot see apart from the drive's own time and therefore rightly counts in.
Prints one line a figure: name, "held" or "missed", and the numbers; for the zone curve how many
points held their truth, which for intervals of 95 % is judged with binomial odds. What holds the truth
with a half-width over 2 % is "wide"."""
import json
import math
import sys

from accuracy import mean_s_per_byte

WIDEST = 0.02


def verdict(name, truth, value, low, high):
    half = (high - low) / 2 / value
    word = "missed" if not low <= truth <= high else "wide" if half > WIDEST else "held"
    print(f"{name} {word} truth {truth:.6g} value {value:.6g} in {low:.6g} ... {high:.6g}"
          f" (off {value / truth - 1:+.3%}, half-width {half:.3%})")


def finding(document, key):
    f = document["findings"].get(key, {"how": "unknown", "why_not": "not in the document"})
    if f["how"] == "unknown":
        print(f"{key} missed: unknown: {f['why_not']}")
        return None
    return f["value"], f["low"], f["high"]


def least_held(n):
    """Fewest of n intervals of 95 % that hold with odds of at least 1 in 1000."""
    tail, k = 0.0, n
    odds = [math.comb(n, j) * 0.95 ** j * 0.05 ** (n - j) for j in range(n + 1)]
    for k in range(n + 1):
        tail += odds[k]
        if tail > 0.001:
            return k
    return n


def curve(document, rates):
    """Rows adjoin, each stands in the middle of its part, whose mean rate it gives."""
    rows = document["series"]["zones.rate"]["rows"]
    held = wide = 0
    start = 0
    for middle, value, low, high in rows:
        end = min(2 * middle - start, rates[-1][1])
        if low is None or high is None or end <= start:
            print(f"zones.rate missed: the point at {middle} has no interval, or no part of the drive")
            return
        truth = 1 / mean_s_per_byte(rates, start, end)
        held += low <= truth <= high
        wide += (high - low) / 2 / value > WIDEST
        if not low <= truth <= high:
            print(f"# at {middle / 1e9:.0f} GB: truth {truth / 1e6:.3f}, {value / 1e6:.3f} in"
                  f" {low / 1e6:.3f} ... {high / 1e6:.3f} MB/s")
        start = end
    need = least_held(len(rows))
    # a pause of the machine inside a window widens its point by right; many wide ones are the prober's
    word = "held"
    if held < need:
        word = "missed"
    elif wide > len(rows) / 10:
        word = "wide"
    print(f"zones.rate {word} {held} of {len(rows)} points hold the truth, at least {need} must;"
          f" {wide} wider than 2 %")


def main():
    document, expected, ends, pipe = (json.load(open(name)) for name in sys.argv[1:5])
    rates = expected["rates"]
    block = document["identity"]["logical_block_size"]
    for key, (start, end, truth) in (("zones.outer_bytes_per_s", ends["rates"][0]),
                                     ("zones.inner_bytes_per_s", ends["rates"][-1])):
        f = finding(document, key)
        region = document["findings"][key]
        if f and max(abs(region["from_bytes"] - start), abs(region["to_bytes"] - end)) > block:
            print(f"{key} missed: it speaks of another part of the drive")
        elif f:
            verdict(key, truth, *f)
    curve(document, rates)
    f = finding(document, "rotation.rpm")
    if f:
        verdict("rotation.rpm", expected["turns_per_s"] * 60, *f)
    f = finding(document, "access.mean_s")
    if f:
        verdict("access.mean_s", expected["access"]["mean_s"] + pipe["added_p50_s"], *f)


main()
