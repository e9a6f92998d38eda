# Make reads this before the makefiles that Verilator writes for a bench (MAKEFILES, xtask/src/setup.rs). All C++ of a model, SpinalSim's
# wrapper among it, is compiled as one file: most files are small, and each of them includes the headers of all. What runs once, at the
# start, is not optimised.
override VK_FAST_OBJS :=
override VK_SLOW_OBJS :=
override VK_USER_OBJS := joined.o

# Verilator's header and those of C++ are compiled once for all models. Where a model's options are others, the compiler reads them as text.
HEADERS := $(dir $(lastword $(MAKEFILE_LIST)))target/benches/headers.h

$(HEADERS):
	mkdir -p $(@D)
	printf '#include "verilated.h"\n#include <chrono>\n#include <iostream>\n#include <jni.h>\n#include <memory>\n#include <string>\n' > $@.new
	mv $@.new $@

$(HEADERS).gch: $(HEADERS)
	$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(OPT_FAST) -x c++-header -MF $@.d -MP -MT $@ -o $@.new $<
	mv $@.new $@

-include $(HEADERS).gch.d

joined.o: $(HEADERS).gch

joined.cpp: $(HEADERS)
	printf '#include "$<"\n' > $@
	printf '#include "%s.cpp"\n' $(VM_FAST) >> $@
	printf '#pragma GCC push_options\n#pragma GCC optimize ("O0")\n' >> $@
	printf '#include "%s.cpp"\n' $(VM_SLOW) >> $@
	printf '#pragma GCC pop_options\n' >> $@
	printf '#include "%s.cpp"\n' $(VM_USER_CLASSES) >> $@
