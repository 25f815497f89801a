# SPDX-License-Identifier: LGPL-2.1-or-later
# Cross build for s390x (big-endian), run under qemu-user: scripts/test-s390x.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(CMAKE_C_COMPILER s390x-linux-gnu-gcc)
set(TDAT_SYSROOT "$ENV{TDAT_S390X_SYSROOT}")
set(CMAKE_C_FLAGS_INIT "-I${TDAT_SYSROOT}/usr/include -I${TDAT_SYSROOT}/usr/include/s390x-linux-gnu")
set(link "-L${TDAT_SYSROOT}/usr/lib/s390x-linux-gnu")
foreach(dir usr/lib/s390x-linux-gnu lib/s390x-linux-gnu lib)
	string(APPEND link " -Wl,-rpath-link,${TDAT_SYSROOT}/${dir}")
endforeach()
set(CMAKE_EXE_LINKER_FLAGS_INIT "${link}")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "${link}")
set(CMAKE_CROSSCOMPILING_EMULATOR
	"qemu-s390x-static;-L;${TDAT_SYSROOT};-E;LD_LIBRARY_PATH=/usr/lib/s390x-linux-gnu:/lib/s390x-linux-gnu")
