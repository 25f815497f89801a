# SPDX-License-Identifier: LGPL-2.1-or-later
# Defines the target by whose options everything is built under the chosen sanitizers.
add_library(tdat_sanitizers INTERFACE)
if(TDAT_SANITIZE)
	target_compile_options(tdat_sanitizers INTERFACE
		-fsanitize=${TDAT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
	target_link_options(tdat_sanitizers INTERFACE -fsanitize=${TDAT_SANITIZE})
endif()
# A program that lies where it was linked to has no addresses to relocate among its descriptions of
# checks and globals (10 MB): it starts in a third of the time, and tests start thousands.
if(TDAT_SANITIZE MATCHES "address")
	target_link_options(tdat_sanitizers INTERFACE
		$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
endif()

# MemorySanitizer meets libraries that it did not compile: what zlib, zstd and libelf
# write is made known to it; what libcheck, libtraceevent and others do is not (see
# scripts/msan).
if(TDAT_SANITIZE STREQUAL "memory")
	add_library(tdat_msan_foreign OBJECT ${CMAKE_SOURCE_DIR}/tests/msan/foreign.c)
	set_target_properties(tdat_msan_foreign PROPERTIES C_VISIBILITY_PRESET default)
	target_compile_options(tdat_msan_foreign PRIVATE -fsanitize=memory)
	target_link_libraries(tdat_msan_foreign PRIVATE PkgConfig::ZLIB PkgConfig::ZSTD
		PkgConfig::LIBELF)
	target_link_libraries(tdat_sanitizers INTERFACE $<TARGET_OBJECTS:tdat_msan_foreign>)
	foreach(name IN ITEMS stat64 lstat64 fstat64 fstatat64
			inflate deflate inflateInit_ inflateReset inflateEnd deflateInit_ deflateReset
			deflateEnd uncompress compressBound zlibVersion ZSTD_isError
			ZSTD_decompress ZSTD_decompressDCtx ZSTD_compress ZSTD_compress2
			ZSTD_compressCCtx ZSTD_decompressStream ZSTD_initDStream
			ZSTD_compressBound ZSTD_createDStream ZSTD_createDCtx ZSTD_createCCtx
			ZSTD_versionString ZSTD_getErrorCode ZSTD_getErrorName
			elf_memory elf_kind elf_version elf_nextscn elf_ndxscn elf_strptr
			elf_getdata gelf_getehdr gelf_getphdr gelf_getshdr gelf_getsym
			elf_getphdrnum elf_getshdrnum)
		target_link_options(tdat_sanitizers INTERFACE LINKER:--wrap=${name})
	endforeach()
endif()
