# The workbook.  `make help` lists the commands; each homework's README.md says what to do.

# What you may set on the command line
BUILD     ?= build
HW        ?=
TASK      ?=
FILE      ?=
CASE      ?=
N         ?= 8
LEVEL     ?= 1
DEVICE    ?= auto
SEED      ?=
STUDENT   ?=
RUN       ?=
ARCH      ?=
CRITERION ?=
V         ?= 0
RUNG      ?=
STEP      ?= 0
PLOT      ?=
RECORD    ?=
REPLAY    ?=
FORCE     ?= 0
export BUILD HW TASK FILE CASE N LEVEL DEVICE SEED STUDENT RUN ARCH CRITERION V
export RUNG STEP PLOT RECORD REPLAY FORCE

# A mistyped one would be ignored, and more be graded than was asked for. What the environment holds is
# not looked at; `of_tools` is accepted, and not worth a line of the message.
variables := HW TASK FILE CASE N LEVEL DEVICE SEED STUDENT RUN ARCH V BUILD RUNG STEP PLOT RECORD REPLAY \
    FRESH FORCE MEMORY_MIB NCU NVCC CUDA_HOME CC CRITERION
of_tools  := CUDA_PATH CUDA_ROOT CUDA_VISIBLE_DEVICES CUDA_LAUNCH_BLOCKING CUDAHOSTCXX NVCC_CCBIN \
    NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS PTX_ARCH TOOLKIT_FOLDERS COMPILE_S COMPILE_MIB COLUMNS TERM \
    NO_COLOR SETUP_% DOCTOR_ROOT SOLUTIONS SPEED_TABLE UPDATE PRICE LOADED ON_NODE FAKE% GRADER_% VGPU_% \
    CFLAGS LDLIBS SHELL PATH LD_LIBRARY_PATH LC_ALL LANG TMPDIR HOME MAKE% GNUMAKEFLAGS
mistyped  := $(filter-out $(variables) $(of_tools),$(foreach v,$(filter-out -* .%,$(.VARIABLES)), \
                 $(if $(filter command,$(firstword $(origin $v))),$v)))
$(if $(mistyped),$(error $(firstword $(mistyped))= is no variable of this workbook: there are $(variables)))

$(if $(filter-out 1,$(words $(BUILD))),$(error BUILD="$(BUILD)": a folder without a blank in its path is needed))

# In single quotes for the shell, with those that it contains
quoted     = '$(subst ','\'',$1)'

# A homework is a folder hw<number>_<topic> with a grader.c; `chosen` are those that HW= names.
homeworks := $(patsubst %/grader.c,%,$(sort $(wildcard hw*_*/grader.c)))
chosen    := $(filter $(if $(HW),hw$(patsubst hw%,%,$(HW))_%,hw%),$(homeworks))
$(if $(chosen),,$(if $(filter grade solution replay try sanitize profile hint test demo live sheet \
    calibrate,$(MAKECMDGOALS)),\
    $(error HW=$(HW): there is no such homework. There are: $(homeworks))))
topic      = $(patsubst $(firstword $(subst _, ,$1))_%,%,$1)
graders    = $(chosen:%=$(BUILD)/%/grader) $(chosen:%=$(BUILD)/%/baseline.so) $(virtual_gpu)
students   = $(foreach h,$(chosen),$(BUILD)/$h/$(call topic,$h).so)
references = $(students:.so=_solution.so)
rungs      = $(foreach h,$(chosen),$(patsubst %.cu,$(BUILD)/%.so,$(wildcard solutions/$h/*.cu)))
# The ladder that demo climbs: a homework, and TASK= of it
one        = $(if $(HW),$(chosen))
ladder     = $(if $(filter demo sheet,$(MAKECMDGOALS)),$(addprefix $(BUILD)/,$(patsubst %.cu,%.so, \
                 $(shell grader/tools/ladder.sh files '$(one)' $(call quoted,$(TASK))))))

# The students' bundle has no references, nor what is for the class.
for_class := demo live sheet bundle calibrate solution test benchmark
$(if $(wildcard $(homeworks:%=%/*_solution.cu)),,$(foreach goal,$(filter $(for_class),$(MAKECMDGOALS)),\
    $(error make $(goal): the solutions, and what needs them, are not in the students' bundle)))

# What the tests need besides: every other candidate, and the machinery's own tests
examined   = $(foreach h,$(chosen),$(patsubst %.cu,$(BUILD)/%.so,$(wildcard $h/wrong/*.cu \
                 grader/tests/accepted/$h/*.cu grader/cheats/$h/*.cu)) \
                 $(filter $(BUILD)/cheats/$h/%,$(cheats)) $(call apply,$h) \
                 $(filter $(BUILD)/odd_style/$h/%,$(odd_styles))) $(rungs)
cheats    := $(foreach h,$(homeworks),$(patsubst grader/cheats/%.cu,$(BUILD)/cheats/$h/%.so, \
                 $(wildcard grader/cheats/*.cu)))
spoilt    := $(foreach h,$(homeworks),$(patsubst grader/cheats/%.cu,$(BUILD)/cheats/$h/%.so, \
                 $(wildcard grader/cheats/spoilt/*.cu)))
apply      = $(patsubst grader/cheats/%.cu,$(BUILD)/cheats/$1/%.so, \
                 $(shell grep -Ls "^// $(firstword $(subst _, ,$1)): does not apply" grader/cheats/spoilt/*.cu))
with_entry := $(shell grep -ls FUNCTION grader/cheats/*.cu)
attacks   := $(foreach h,$(homeworks),$(with_entry:grader/cheats/%.cu=$(BUILD)/cheats/$h/%.so))
odd_styles := $(homeworks:%=$(BUILD)/odd_style/%/answer/odd_style.so)
virtual_gpu := $(BUILD)/virtual_gpu/libcudart.so
virtual_parts := $(patsubst %,$(BUILD)/%.o,$(wildcard grader/virtual_gpu/*.c))
unit_tests = $(patsubst %.c,$(BUILD)/%,$(wildcard grader/tests/*_test.c))

library   := $(patsubst %,$(BUILD)/%.o,$(wildcard grader/*.c grader/*.cu))
CFLAGS    := -std=gnu11 -O2 -g -Wall -Wextra -Werror -MMD -MP -iquote .
LDLIBS     = $$CRITERION_LIBS -L"$$CUDA_LIB" -Wl,-rpath,"$$CUDA_LIB" -lcudart -lstdc++ -ldl -lm -lpthread
after_setup := $(filter setup,$(MAKECMDGOALS))
tools      = . $(BUILD)/toolchain; $(if $(filter 1,$(V)),set -x;)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SECONDEXPANSION:
.SECONDARY:
.PHONY: help setup doctor grade solution try replay hint sanitize profile demo live sheet bundle \
    calibrate test benchmark clean always

help:       ## this list
	@grader/tools/help.sh $(firstword $(MAKEFILE_LIST))
setup:      ## installs what is missing: Criterion, and a CUDA toolkit if there is none
	@grader/tools/setup.sh $(filter test,$(MAKECMDGOALS))
doctor: $(after_setup) ## what this machine has, what each homework needs, what to do
	@grader/tools/doctor.sh
grade: $$(students) $$(graders) ## grades your file: HW=4, with TASK=2 one task, with FILE= another file, or many
	@grader/tools/grade.sh $@ $(chosen)
solution: $$(references) $$(graders) ## class: grades the reference solution: HW=4, without HW all
	@grader/tools/grade.sh $@ $(chosen)
replay: $$(students) $$(graders) ## one failing case again: HW=2 TASK=1 CASE=…, as the failure printed it
	@grader/tools/grade.sh $@ $(chosen)
try: $$(students) $$(graders) ## your function on a tiny input, everything printed: HW=1 N=8
	@grader/tools/grade.sh $@ $(chosen)
sanitize: $$(students) $$(graders) ## what compute-sanitizer, or else the virtual GPU, sees in your file: HW=2
	@grader/tools/grade.sh $@ $(chosen)
profile: $$(students) $$(graders) ## what limits your kernels, by ncu's counters or the virtual GPU's: HW=7
	@grader/tools/grade.sh $@ $(chosen)
hint:       ## a hint: HW=4 TASK=2 LEVEL=1, 2 or 3
	@grader/tools/hint.sh $(if $(HW),$(chosen),'') $(call quoted,$(TASK)) $(call quoted,$(LEVEL))
demo: $$(if $(REPLAY),,$$(ladder) $$(if $$(ladder),$$(graders))) ## class: the ladder live: HW=4, TASK=2 STEP=1 PLOT=x.svg REPLAY=h200
	@grader/tools/demo.sh '$(one)'
live:       ## class: a rung without its body, to type: HW=4 RUNG=2
	@grader/tools/live.sh '$(one)'
sheet: $$(if $$(wildcard solutions/$$(chosen)/h200.tsv),,$$(ladder) $$(if $$(ladder),$$(graders))) ## class: two pages to print, and a key: HW=4
	@grader/tools/sheet.sh '$(one)'
bundle:     ## class: the archive for students, without solutions
	@grader/tools/bundle.sh
calibrate: $$(references) $$(graders) $$(rungs) ## class: limits, rungs and gates, measured on this device
	@grader/tools/calibrate.sh
test: $$(students) $$(references) $$(graders) $$(examined) $$(unit_tests) ## class: the project's own tests; HW=4: of one homework
	@grader/tests/run.sh
benchmark: $(virtual_gpu) ## class: the speed of the virtual GPU on this machine
	@grader/virtual_gpu/benchmark/benchmark.sh
clean:      ## removes build/
	@if [ $(BUILD) != build ] && [ -e $(BUILD) ] && { [ -e $(BUILD)/Makefile ] || ! ls -d \
	    $(BUILD)/toolchain $(BUILD)/workbook.tar.gz $(foreach part,demo live sheets hints,$(BUILD)/$(part)/hw*) \
	    2> /dev/null | grep -q .; }; then \
	    echo "BUILD=$(BUILD): that does not look like a build folder, and stays." >&2; exit 2; fi
	rm -rf $(BUILD)

# The tools are looked up once a run; everything is rebuilt when they change.
$(BUILD)/toolchain: $(after_setup) always
	@{ mkdir -p $(@D) && [ -w $(@D) ]; } || { echo "$(BUILD) cannot be written: make BUILD=FOLDER … puts it elsewhere." >&2; exit 2; }
	@new=$@.$$$$; trap 'rm -f "$$new"' EXIT INT TERM; grader/tools/toolchain.sh > "$$new" && \
	    { cmp -s "$$new" $@ || mv "$$new" $@; }
	@[ -e $(virtual_gpu) ] || echo "building the grader and the virtual GPU (once, about a minute)"

# A candidate is any .cu of a homework: a shared object with the contract's functions.
$(BUILD)/%.so: %.cu $(BUILD)/toolchain grader/tools/compile.sh
	@grader/tools/compile.sh $< $@ $(firstword $(filter $(homeworks),$(subst /, ,$<)))

# A right answer again, in an odd style
$(odd_styles): $(BUILD)/odd_style/%/answer/odd_style.so: \
    $$(firstword $$(wildcard $$(addprefix grader/tests/accepted/$$*/,clumsy.cu grid_stride.cu))) \
    grader/tests/odd_style.sh grader/tests/accepted/odd_helper.cuh $(BUILD)/toolchain grader/tools/compile.sh
	@grader/tests/odd_style.sh $< $(@:.so=.cu)
	@grader/tools/compile.sh $(@:.so=.cu) $@ $*

# A cheat attacks every homework. Most are compiled once and linked for each; others contain its solution.
$(BUILD)/cheats/%.o: grader/cheats/%.cu grader/cheats/call.h $(BUILD)/toolchain grader/tools/cheat.sh
	@grader/tools/cheat.sh compile $< $@
$(attacks): $(BUILD)/cheats/%.so: $(BUILD)/cheats/$$(notdir $$*).o
	@grader/tools/cheat.sh link $< $@ $(*D)
# A spoilt reference: a family that is compiled once, and what a homework calls its function.
$(BUILD)/cheats/entries/%.o: grader/cheats/entries/%.cpp $(BUILD)/toolchain grader/tools/cheat.sh
	@grader/tools/cheat.sh entry $* $@
$(spoilt): $(BUILD)/cheats/%.so: $(BUILD)/cheats/spoilt/$$(notdir $$*).o \
        $(BUILD)/cheats/entries/$$(firstword $$(subst /, ,$$*)).o
	@grader/tools/cheat.sh link-spoilt $^ $@
$(filter-out $(attacks),$(cheats)): $(BUILD)/cheats/%.so: grader/cheats/$$(notdir $$*).cu $(BUILD)/toolchain grader/tools/compile.sh
	@grader/tools/compile.sh $< $@ $(*D) --cheat

$(BUILD)/%.c.o: %.c $(BUILD)/toolchain
	@mkdir -p $(@D); $(tools) $$HOST_CC $(CFLAGS) $$CRITERION_CFLAGS -I"$$CUDA_INCLUDE" \
	    -DTEST_CC="\"$$HOST_CC\"" -DTEST_CUDA_INCLUDE="\"$$CUDA_INCLUDE\"" -c -o $@ $<

$(BUILD)/%.cu.o: %.cu $(BUILD)/toolchain
	@mkdir -p $(@D); $(tools) "$$NVCC" $$CCBIN -std=c++17 -O3 $$GENCODE -Xcompiler -Wall,-Wextra \
	    -MMD -MP -c -o $@ $<

# A grader: the library, the homework's tests, Criterion and the shared CUDA runtime
$(BUILD)/%/grader: $(BUILD)/%/grader.c.o $$(addprefix $(BUILD)/,$$(addsuffix .o,$$(wildcard $$*/checks/*.c))) \
    $(library) grader/exported.list
	@echo "grader  $*"; $(tools) $$HOST_CC -o $@ $(filter %.o,$^) -Wl,--dynamic-list=grader/exported.list $(LDLIBS)

$(BUILD)/grader/library.a: $(filter-out %/main.c.o,$(library))
	@rm -f $@ && ar rcs $@ $^
$(BUILD)/grader/tests/%_test: $(BUILD)/grader/tests/%_test.c.o $(BUILD)/grader/library.a
	@$(tools) $$HOST_CC -o $@ $^ -rdynamic -Wl,--as-needed $(LDLIBS)

# The virtual GPU: a libcudart of our own, found first on the library path
$(virtual_parts): CFLAGS += -O3 -fPIC -fvisibility=hidden -ffp-contract=off -fno-strict-aliasing \
    -I$(BUILD)/virtual_gpu
$(virtual_parts): $(BUILD)/virtual_gpu/error_table.inc
$(BUILD)/virtual_gpu/error_table.inc: grader/virtual_gpu/tools/error_table.c $(BUILD)/toolchain
	@mkdir -p $(@D); $(tools) $$HOST_CC -O1 -o $(@D)/error_table $< -ldl && \
	    $(@D)/error_table "$$CUDA_LIB/libcudart.so" > $@
$(virtual_gpu): $(virtual_parts) grader/virtual_gpu/tools/link.sh grader/virtual_gpu/tools/exports.sh
	@echo "virtual GPU  $@"; $(tools) grader/virtual_gpu/tools/link.sh "$$HOST_CC" "$$CUDA_LIB" $@ $(virtual_parts)

# Who asks for one file need not wait until Make has read what all other candidates include.
all_others := wrong cheats accepted solutions
of_one     := help setup doctor grade solution replay try sanitize profile hint clean
left_out   := $(if $(filter-out $(of_one),$(MAKECMDGOALS)),, \
                  $(all_others:%=-name % -prune -o))
-include $(shell find $(BUILD) $(left_out) -name '*.d' -print 2>/dev/null)
