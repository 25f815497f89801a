# SPDX-License-Identifier: LGPL-2.1-or-later
# What "cmake --install" puts where, and how other projects find it. The component "program" is what needs no
# libtdat.
include(CMakePackageConfigHelpers)

install(TARGETS tdat_static EXPORT tdatStatic ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
	INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS tdat_shared EXPORT tdatTargets
	LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
	INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS tdat RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(DIRECTORY include/tdat DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
	FILES_MATCHING PATTERN "*.h")

file(GLOB man_pages CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/man/*.[1-9])
foreach(page ${man_pages})
	string(REGEX REPLACE ".*\\.([1-9])$" "\\1" section ${page})
	install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section} COMPONENT program)
endforeach()

# What it is, how it is used, and under which licences.
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(DIRECTORY LICENSES examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program
	PATTERN CMakeLists.txt EXCLUDE)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs COMPONENT program)

# The .pc file finds its prefix from where it lies, so that a tree can be moved.
file(RELATIVE_PATH TDAT_PC_UP /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" TDAT_PC_UP "${TDAT_PC_UP}")
string(REGEX REPLACE "[A-Z]+:" "" TDAT_PC_REQUIRES "${tdat_modules}")
string(REPLACE ";" " " TDAT_PC_REQUIRES "${TDAT_PC_REQUIRES}")
string(REPLACE ";" " " TDAT_CONFIG_DEPS "${tdat_modules}")
string(REPLACE ";" " " TDAT_COMPONENTS "${tdat_components}")
configure_file(cmake/libtdat.pc.in libtdat.pc @ONLY)
# Where each shell looks for completions.
set(completions ${CMAKE_CURRENT_SOURCE_DIR}/completions)
install(FILES ${completions}/tdat.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
	RENAME tdat COMPONENT program)
install(FILES ${completions}/_tdat DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT program)
install(FILES ${completions}/tdat.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/libtdat.pc
	DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tdat)
configure_package_config_file(cmake/tdatConfig.cmake.in tdatConfig.cmake
	INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(tdatConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tdatConfig.cmake
	${CMAKE_CURRENT_BINARY_DIR}/tdatConfigVersion.cmake DESTINATION ${package_dir})
install(EXPORT tdatStatic NAMESPACE tdat:: DESTINATION ${package_dir})
install(EXPORT tdatTargets NAMESPACE tdat:: DESTINATION ${package_dir})
