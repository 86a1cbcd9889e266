#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds result documents against src/doc/document.schema.json; prints TAP.

validate.py FILE...        each must be valid ("-": standard input)
validate.py --not FILE...  each must not be

Needs Debian's python3-jsonschema, which only /usr/bin/python3 sees. Besides the schema, what it
cannot say is checked: no name twice in an object, intervals that hold their value, numbers that
are finite.
"""
import json
import os
import sys

SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                      "../../src/doc/document.schema.json")


def once(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return members


def no_constant(name):
    raise ValueError(name + " is no JSON number")


def load(name):
    with (sys.stdin if name == "-" else open(name, encoding="utf-8")) as f:
        return json.load(f, object_pairs_hook=once, parse_constant=no_constant)


def complaints(validator, document):
    for error in validator.iter_errors(document):
        yield "/".join(str(part) for part in error.absolute_path) + ": " + error.message[:300]
    for key, finding in document.get("findings", {}).items():
        if "low" in finding and not finding["low"] <= finding["value"] <= finding["high"]:
            yield key + ": the value is outside its interval"


def check(validator, name, wanted):
    try:
        found = list(complaints(validator, load(name)))
    except (OSError, ValueError) as error:
        found = [str(error)]
    return [] if bool(found) != wanted else found or ["valid, but should not be"]


def main():
    try:
        from jsonschema import Draft202012Validator
    except ImportError:
        print("1..1\nok 1 - schema # SKIP python3-jsonschema (4 or later) is not installed")
        return 0
    arguments = sys.argv[1:]
    wanted = arguments[:1] != ["--not"]
    names = arguments if wanted else arguments[1:]
    if not names:
        print("usage: validate.py [--not] FILE...", file=sys.stderr)
        return 2
    with open(SCHEMA, encoding="utf-8") as f:
        schema = json.load(f, object_pairs_hook=once)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    bad = 0
    print("1..%d" % len(names))
    for i, name in enumerate(names, 1):
        wrong = check(validator, name, wanted)
        bad += bool(wrong)
        print("%s %d - %s is %svalid" % ("not ok" if wrong else "ok", i, os.path.basename(name),
                                         "" if wanted else "not "))
        for complaint in wrong:
            print("# " + complaint)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
