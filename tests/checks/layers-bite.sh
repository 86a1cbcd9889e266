#!/bin/bash
# check-layers must find a planted violation and name it, and must pass the tree as it is.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh

mkdir "$tmp/tree"
cp -r src platform scripts "$tmp/tree"
check() { "$tmp/tree/scripts/check-layers" "$tmp/tree"; }

plant() { # NAME FILE LINE EXPECTED
    local file=$tmp/tree/$2 printed
    cp "$file" "$tmp/kept"
    printf '%s\n' "$3" >> "$file"
    printed=$(check 2>&1)
    nok "$1: check-layers fails" check
    like "$1: and names it" "$printed" "$4"
    cp "$tmp/kept" "$file"
}

ok "nothing planted: passes" check
rm -r "$tmp"/tree/platform/* "$tmp"/tree/src/{cli,out,plan,probe,sheet,sim,stat} # a few folders are enough
plant "an include upwards" src/base/text.c '#include "doc/doc.h"' 'src/base/text\.c:[0-9]+: base may not include "doc/doc\.h"'
plant "a pure folder sees the platform" src/drive/drive.c '#include "host/platform.h"' 'src/drive/drive\.c:[0-9]+: drive may not'
plant "indented" src/doc/doc.c '#  include "cli/cli.h"' 'src/doc/doc\.c:[0-9]+: doc may not'
plant "no folder" src/doc/doc.c '#include "quantity.h"' 'must be written with its folder'
plant "an operating system by #if" src/base/units.c "$(printf '#ifdef __linux__\n#endif')" 'src/base/units\.c: an operating system'
cp "$tmp/tree/src/base/err.h" "$tmp/tree/src/doc/err.h"
like "one name twice" "$(check 2>&1)" 'not unique in src/: err\.h'
rm "$tmp/tree/src/doc/err.h"
mkdir "$tmp/tree/src/attic"
cp "$tmp/tree/src/base/err.c" "$tmp/tree/src/attic/attic.c"
like "a folder nobody knows" "$(check 2>&1)" 'folder attic is not in scripts/layers'
rm -r "$tmp/tree/src/attic"
ok "all taken away again: passes" check
done_testing
