#!/bin/bash
# check-layers must find a planted violation and name it, in whatever spelling, and must pass the
# tree as it is. Planted in a small tree: two folders, one of which may not see the other.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh

tree=$tmp/tree
mkdir -p "$tree/src/base" "$tree/src/doc" "$tree/src/cli" "$tree/platform/linux"
cp -r scripts "$tree"
cp src/base/text.[ch] src/base/err.[ch] src/base/mem.[ch] "$tree/src/base"
cp src/doc/identity.[ch] "$tree/src/doc" 2> /dev/null || cp src/doc/identity.h "$tree/src/doc"
cp src/cli/say.h src/cli/cli.h "$tree/src/cli"
cp platform/linux/message.[ch] "$tree/platform/linux"
printf '#include "doc/identity.h"\n' > "$tree/src/doc/user.c"
check() { "$tree/scripts/check-layers" "$tree"; }

plant() { # NAME FILE LINES EXPECTED
    local file=$tree/$2 printed rc
    [ -e "$file" ] && cp "$file" "$tmp/kept" || : > "$tmp/kept"
    printf '%s\n' "$3" >> "$file"
    printed=$(check 2>&1)
    rc=$?
    is "$1: check-layers fails" $rc 1
    like "$1: and names it" "$printed" "$4"
    cp "$tmp/kept" "$file"
}

ok "nothing planted: passes" check
up='src/base/text\.c:[0-9]+: base may not include'
plant "an include upwards" src/base/text.c '#include "doc/identity.h"' "$up \"doc/identity\.h\""
plant "in a header" src/base/err.h '#include "cli/say.h"' 'src/base/err\.h:[0-9]+: base may not include "cli/say\.h"'
plant "indented" src/base/text.c '	#  include	"cli/say.h"' "$up \"cli/say\.h\""
plant "in angle brackets" src/base/text.c '#include <cli/say.h>' "$up <cli/say\.h>"
plant "in angle brackets, one that is allowed" src/cli/say.h '#include <base/text.h>' 'headers stand in quotes'
plant "a comment before it" src/base/text.c '/* x */ # /* y */ include /* z */ "cli/say.h"' "$up \"cli/say\.h\""
plant "a comment of two lines before it" src/base/text.c $'/* x\n*/ #include "cli/say.h"' "$up \"cli/say\.h\""
plant "a comment of two lines within" src/base/text.c $'#include /* x\n*/ "cli/say.h"' "$up \"cli/say\.h\""
plant "a digraph" src/base/text.c '%:include "cli/say.h"' "$up \"cli/say\.h\""
plant "a line that is continued" src/base/text.c $'#inc\\\nlude "cli/\\\nsay.h"' "$up \"cli/say\.h\""
plant "a macro" src/base/text.c $'#define WHAT "cli/say.h"\n#include WHAT' "$up \"cli/say\.h\""
plant "include_next" src/base/text.c '#include_next "cli/say.h"' "$up \"cli/say\.h\""
plant "by the way up" src/base/text.c '#include "../cli/say.h"' "$up \"\.\./cli/say\.h\""
plant "by a way round" src/base/text.c '#include "base/../cli/say.h"' "$up \"base/\.\./cli/say\.h\""
plant "by the whole path" src/base/text.c "#include \"$tree/src/cli/say.h\"" "$up \"/"
plant "what was included below already" src/doc/user.c $'#include "base/err.h"\n#include "cli/say.h"' 'src/doc/user\.c:[0-9]+: doc may not include "cli/say\.h"'
plant "where it is not compiled" src/base/text.c $'#ifdef NEVER\n#include "cli/say.h"\n#endif' "$up \"cli/say\.h\""
plant "no folder" src/doc/user.c '#include "identity.h"' 'must be written with its folder'
plant "a system header of its own way" src/base/text.c '#include </etc/../usr/include/stdio.h>' 'is no system header'
plant "a header that is not there" src/base/text.c '#include "base/nothing.h"' 'does not get through'
plant "the platform sees the cli" platform/linux/message.c '#include "cli/say.h"' 'platform/linux/message\.c:[0-9]+: platform may not include'
plant "an operating system by #if" src/base/text.c $'#ifdef __linux__\n#endif' 'src/base/text\.c: an operating system'
plant "an operating system, continued" src/base/text.c $'#if defined(X) || \\\n defined(__APPLE__)\n#endif' 'src/base/text\.c: an operating system'
cp "$tree/src/base/err.h" "$tree/src/doc/err.h"
like "one name twice" "$(check 2>&1)" 'not unique in src/: err\.h'
rm "$tree/src/doc/err.h"
mkdir "$tree/src/attic"
cp "$tree/src/base/err.c" "$tree/src/attic/attic.c"
like "a folder nobody knows" "$(check 2>&1)" 'folder attic is not in scripts/layers'
rm -r "$tree/src/attic"
echo '#include "cli/say.h"' > "$tree/src/base/rows.inc"
like "a file under another ending" "$(check 2>&1)" 'neither .c nor .h: src/base/rows\.inc'
rm "$tree/src/base/rows.inc"
ok "all taken away again: passes" check
done_testing
