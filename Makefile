# platter: one Makefile, no configure. Everything it makes is under build/.
#
#   make                 the program, build/platter
#   make check           layers, purity, unit, truth and command-line tests: no root, no disk, no network
#   make check-device    the same program on simulated drives that are real block devices (root)
#   make lint            cppcheck; make tidy: clang-tidy; make format: clang-format in place
#   make bench-device    the whole probe on such drives beside the truth; tests/device-accuracy.md (root, 20 min)
#   make bench-truth     the whole run on every simulated drive, 100 seeds, judged as make check does
#   make bench-accuracy  the same as tables, and what was asked for: tests/accuracy.md (half an hour;
#                        ACCURACY="--seeds 10 --random 1:20" is a short one)
#   make fuzz            libFuzzer (clang) on what reads a drive's bytes; FUZZ_RUNS=200000
#   make install         into $(DESTDIR)$(prefix); make uninstall takes it away again
#   make clean           removes build/
#
#   CC=clang             another compiler              WERROR=1    warnings are errors
#   SAN=address,undefined  sanitizers                  PLATFORM=   linux or darwin (found)
#   URING=0              without liburing: threads keep the queue
#   ATASMART=0           without libatasmart: nobody reads SMART data a second time
#   CFLAGS, CPPFLAGS, LDFLAGS, LDLIBS are added to; prefix=/usr/local, DESTDIR= as usual
#   V=1                  show the commands

prefix  ?= /usr/local
bindir  ?= $(prefix)/bin
mandir  ?= $(prefix)/share/man
datadir ?= $(prefix)/share/platter
ifeq ($(origin CC),default)
CC = gcc
endif
CFLAGS  ?= -O2 -g
PKG_CONFIG ?= pkg-config
PLATFORM ?= $(if $(filter Darwin,$(shell uname -s)),darwin,linux)

VERSION := $(shell cat src/version.txt)

# a build of its own for each compiler and sanitizer
comma := ,
flavour := $(if $(filter-out gcc,$(CC))$(SAN)$(filter 0,$(URING) $(ATASMART)),-$(notdir $(CC))$(if $(SAN),-$(subst $(comma),+,$(SAN)))$(if $(filter 0,$(URING)),-threads)$(if $(filter 0,$(ATASMART)),-alone))
B := build$(if $(flavour),/flavour$(flavour))

Q := $(if $(V),,@)
say = $(if $(V),:,@printf '  %-7s %s\n')

# ---- what it is built with ------------------------------------------------------------------

# need PACKAGE,DEBIAN PACKAGE: a sentence when pkg-config does not know it
quiet_goals := clean help format check-layers uninstall
ifneq ($(if $(MAKECMDGOALS),$(filter-out $(quiet_goals),$(MAKECMDGOALS)),all),)
define need
ifneq ($$(shell $(PKG_CONFIG) --exists $(1) 2>/dev/null && echo yes),yes)
$$(error platter needs $(1), which $(PKG_CONFIG) cannot find. On Debian: apt-get install pkg-config $(2))
endif
endef
$(eval $(call need,jansson,libjansson-dev))
endif

have_blkid := $(shell $(PKG_CONFIG) --exists blkid 2>/dev/null && echo yes)
have_uring := $(if $(filter 0,$(URING)),,$(shell $(PKG_CONFIG) --exists 'liburing >= 2.2' 2>/dev/null && echo yes))

have_atasmart := $(if $(filter 0,$(ATASMART)),,$(shell $(PKG_CONFIG) --exists libatasmart 2>/dev/null && echo yes))

packages := jansson $(if $(have_atasmart),libatasmart) \
	$(if $(and $(have_uring),$(filter linux,$(PLATFORM))),liburing) \
	$(if $(and $(have_blkid),$(filter linux,$(PLATFORM))),blkid)
pkg_cflags := $(shell $(PKG_CONFIG) --cflags $(packages) 2>/dev/null)
pkg_libs   := $(shell $(PKG_CONFIG) --libs $(packages) 2>/dev/null)

warnings := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
	-Wformat=2 -Wundef -Wvla -Wpointer-arith -Wwrite-strings $(if $(WERROR),-Werror)
san := $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)
all_cflags := -std=c11 $(warnings) $(san) $(pkg_cflags) $(CFLAGS)
all_cppflags := -Isrc -D_FILE_OFFSET_BITS=64 -D_GNU_SOURCE -DPLATTER_VERSION='"$(VERSION)"' $(CPPFLAGS)
all_ldflags := $(san) $(LDFLAGS)
all_libs := $(pkg_libs) -lm -lpthread $(LDLIBS)

# ---- what is built --------------------------------------------------------------------------

# sources are found; a feature picks a file
left_out := $(if $(have_uring),platform/linux/queue_no_uring.c,platform/linux/queue_uring.c) \
	$(if $(have_blkid),platform/linux/signatures_none.c,platform/linux/signatures_blkid.c) \
	$(if $(have_atasmart),src/smart/witness_none.c,src/smart/witness_atasmart.c)
sources := $(filter-out $(left_out),$(sort $(wildcard src/*/*.c)) \
	$(sort $(wildcard platform/$(PLATFORM)/*.c)))
objects := $(sources:%.c=$(B)/%.o)
library := $(B)/libplatter.a

unit_sources  := $(sort $(wildcard tests/unit/test_*.c))
unit_programs := $(unit_sources:tests/%.c=$(B)/tests/%)
truth_programs := $(B)/tests/truth/truth $(B)/tests/accuracy/accuracy
ACCURACY ?=
test_objects := $(patsubst %.c,$(B)/%.o,$(wildcard tests/unit/*.c tests/truth/*.c tests/accuracy/*.c tests/device/*.c tests/fuzz/*.c))

.PHONY: all fuzz check check-unit check-truth check-cli check-layers check-pure check-device check-size \
	lint tidy format bench-truth bench-device bench-accuracy install uninstall clean help test-programs bed
.SUFFIXES:
.DELETE_ON_ERROR:
.SECONDARY:

all: $(B)/platter

$(B)/platter: $(B)/src/main.o $(library)
	$(say) LINK $@
	$(Q)$(CC) $(all_ldflags) -o $@ $^ $(all_libs)

$(library): $(objects)
	$(say) AR $@
	$(Q)rm -f $@ && $(AR) qcs $@ $^

$(B)/%.o: %.c $(B)/flags
	$(say) CC $<
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(all_cppflags) $(if $(filter tests/%,$<),-I. $(test_cflags)) $(all_cflags) -MMD -MP -c -o $@ $<

# changes only when the flags do, so that another knob rebuilds what it must
$(B)/flags: FORCE
	$(Q)mkdir -p $(@D)
	$(Q)printf '%s\n' $(left_out) > $(B)/left_out
	$(Q)printf '%s\n' '$(CC) $(subst ','\'',$(all_cppflags) $(all_cflags)) $(have_uring) $(have_blkid) $(have_atasmart)' | cmp -s - $@ || \
		printf '%s\n' '$(CC) $(subst ','\'',$(all_cppflags) $(all_cflags)) $(have_uring) $(have_blkid) $(have_atasmart)' > $@
.PHONY: FORCE
FORCE:

# ---- tests ----------------------------------------------------------------------------------

test_cflags = $(shell $(PKG_CONFIG) --cflags cmocka 2>/dev/null)
test_libs = $(shell $(PKG_CONFIG) --libs cmocka 2>/dev/null || echo -lcmocka)

$(B)/tests/unit/%: $(B)/tests/unit/%.o $(library)
	$(say) LINK $@
	$(Q)$(CC) $(all_ldflags) -o $@ $^ $(test_libs) $(all_libs)

$(B)/tests/truth/truth: $(patsubst %.c,$(B)/%.o,$(wildcard tests/truth/*.c)) $(library)
	$(say) LINK $@
	$(Q)$(CC) $(all_ldflags) -o $@ $^ $(all_libs)

$(B)/tests/accuracy/accuracy: $(patsubst %.c,$(B)/%.o,$(wildcard tests/accuracy/*.c) \
		$(filter-out tests/truth/truth.c tests/truth/faults.c,$(wildcard tests/truth/*.c))) $(library)
	$(say) LINK $@
	$(Q)$(CC) $(all_ldflags) -o $@ $^ $(all_libs)

# the bed: simulated drives as real block devices, by FUSE and loop
bed: $(B)/tests/device/beddrive
$(B)/tests/device/beddrive: $(patsubst %.c,$(B)/%.o,$(wildcard tests/device/*.c tests/truth/oracle*.c)) $(library)
	$(say) LINK $@
	$(Q)$(CC) $(all_ldflags) -o $@ $^ $(shell $(PKG_CONFIG) --libs fuse3) $(all_libs)

test-programs: $(unit_programs) $(truth_programs)

check: all test-programs
	$(Q)B=$(B) scripts/run-tests layers pure size unit truth cli

check-unit check-truth check-cli: all test-programs
	$(Q)B=$(B) scripts/run-tests $(@:check-%=%)

check-layers check-size:
	$(Q)scripts/$@

check-pure: all
	$(Q)B=$(B) scripts/check-pure

check-device: all bed
	$(Q)B=$(B) scripts/run-tests device

bench-device: all bed
	$(Q)B=$(B) scripts/bench-device

bench-truth: test-programs
	$(Q)$(B)/tests/truth/truth --seeds 100 --table

bench-accuracy: test-programs
	$(Q)$(B)/tests/accuracy/accuracy $(ACCURACY) > $(B)/accuracy.md
	$(Q)cp $(B)/accuracy.md tests/accuracy.md

# Every reader of bytes that come from a drive. The second reader of SMART data is left out: it takes
# milliseconds each time. What is found worth keeping goes to $(FUZZ_CORPUS), which begins with the
# seeds of tests/fuzz.
FUZZ_RUNS ?= 200000
FUZZ_CORPUS ?= $(B)/corpus
fuzz_programs := $(patsubst tests/fuzz/%.c,$(B)/tests/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))

fuzz:
	$(Q)$(MAKE) --no-print-directory CC=clang SAN=fuzzer-no-link,address,undefined ATASMART=0 run-fuzz

$(B)/tests/fuzz/%: $(B)/tests/fuzz/%.o $(library)
	$(say) LINK $@
	$(Q)$(CC) $(all_ldflags) -fsanitize=fuzzer -o $@ $^ $(all_libs)

.PHONY: run-fuzz
run-fuzz: $(fuzz_programs)
	$(Q)for p in $^; do n=$${p##*/fuzz_}; mkdir -p $(FUZZ_CORPUS)/$$n && \
		$$p -runs=$(FUZZ_RUNS) -seed=1 -max_len=4096 -timeout=5 -print_final_stats=1 -verbosity=0 \
		-artifact_prefix=$(FUZZ_CORPUS)/ $(FUZZ_CORPUS)/$$n tests/fuzz/$$n || exit 1; done

lint:
	$(Q)cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
		--suppress=missingIncludeSystem --error-exitcode=1 -j2 -Isrc src platform/$(PLATFORM)

tidy:
	$(Q)clang-tidy --quiet $(sources) src/main.c -- $(all_cppflags) -std=c11 $(pkg_cflags)

format:
	$(Q)clang-format -i $$(git ls-files '*.c' '*.h')

# ---- install --------------------------------------------------------------------------------

# the manual names the schema where it will be
$(B)/platter.8: src/cli/platter.8 FORCE
	$(Q)mkdir -p $(@D)
	$(Q)sed 's|/usr/local/share/platter|$(datadir)|' $< > $@

install: all $(B)/platter.8
	install -d $(DESTDIR)$(bindir) $(DESTDIR)$(mandir)/man8 $(DESTDIR)$(datadir)
	install -m 755 $(B)/platter $(DESTDIR)$(bindir)/platter
	install -m 644 $(B)/platter.8 $(DESTDIR)$(mandir)/man8/platter.8
	install -m 644 src/doc/document.schema.json $(DESTDIR)$(datadir)/document.schema.json

uninstall:
	rm -f $(DESTDIR)$(bindir)/platter $(DESTDIR)$(mandir)/man8/platter.8
	rm -f $(DESTDIR)$(datadir)/document.schema.json
	-rmdir $(DESTDIR)$(datadir)

clean:
	rm -rf build

help:
	@sed -n '/^#/!q;s/^# \{0,1\}//p' Makefile

-include $(objects:.o=.d) $(B)/src/main.d $(test_objects:.o=.d)
