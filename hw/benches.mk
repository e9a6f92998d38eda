# Make reads this before the makefiles that Verilator writes for a bench (MAKEFILES, xtask/src/setup.rs). All C++ of a model, SpinalSim's
# wrapper among it, is compiled as one file: most files are small, and each of them includes the headers of all. What runs once, at the
# start, is not optimised.
override VK_FAST_OBJS :=
override VK_SLOW_OBJS :=
override VK_USER_OBJS := joined.o

joined.cpp:
	printf '#include "%s.cpp"\n' $(VM_FAST) > $@
	printf '#pragma GCC push_options\n#pragma GCC optimize ("O0")\n' >> $@
	printf '#include "%s.cpp"\n' $(VM_SLOW) >> $@
	printf '#pragma GCC pop_options\n' >> $@
	printf '#include "%s.cpp"\n' $(VM_USER_CLASSES) >> $@
