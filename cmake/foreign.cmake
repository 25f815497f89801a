# SPDX-License-Identifier: LGPL-2.1-or-later
# Cross build for a machine that qemu-user emulates: scripts/test-foreign says which by
# TDAT_FOREIGN_PROCESSOR, TDAT_FOREIGN_TRIPLET, TDAT_FOREIGN_QEMU and TDAT_FOREIGN_SYSROOT.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR $ENV{TDAT_FOREIGN_PROCESSOR})
set(triplet $ENV{TDAT_FOREIGN_TRIPLET})
set(sysroot $ENV{TDAT_FOREIGN_SYSROOT})
set(CMAKE_C_COMPILER ${triplet}-gcc)
# As headers of the system, whose warnings are not ours.
set(CMAKE_C_FLAGS_INIT
	"-isystem ${sysroot}/usr/include -isystem ${sysroot}/usr/include/${triplet}")
set(link "-L${sysroot}/usr/lib/${triplet}")
foreach(dir usr/lib/${triplet} lib/${triplet} lib)
	string(APPEND link " -Wl,-rpath-link,${sysroot}/${dir}")
endforeach()
set(CMAKE_EXE_LINKER_FLAGS_INIT "${link}")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "${link}")
set(CMAKE_MODULE_LINKER_FLAGS_INIT "${link}")
set(CMAKE_CROSSCOMPILING_EMULATOR
	"$ENV{TDAT_FOREIGN_QEMU};-L;${sysroot};-E;LD_LIBRARY_PATH=/usr/lib/${triplet}:/lib/${triplet}")
