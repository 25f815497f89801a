# SPDX-License-Identifier: LGPL-2.1-or-later
# Cross build for a wheel: scripts/wheels says for which processor and where the compiler's wrappers are
# by TDAT_WHEEL_PROCESSOR and TDAT_WHEEL_TOOLS. What it links comes from pkg-config.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR $ENV{TDAT_WHEEL_PROCESSOR})
set(CMAKE_C_COMPILER $ENV{TDAT_WHEEL_TOOLS}/cc)
set(CMAKE_AR $ENV{TDAT_WHEEL_TOOLS}/ar CACHE FILEPATH "")
set(CMAKE_RANLIB $ENV{TDAT_WHEEL_TOOLS}/ranlib CACHE FILEPATH "")
# Programs at addresses that nobody knows, and nothing with debug information.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-pie -s")
set(CMAKE_MODULE_LINKER_FLAGS_INIT "-s")
