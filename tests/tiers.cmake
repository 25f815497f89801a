# SPDX-License-Identifier: GPL-2.0-or-later
# Each test is in one tier, its label: tests/lint/tiers.sh.
#   hostile  files made to hurt: what they can cost, mutations, failing allocations
#   full     tests that take more than about two seconds, and those of the shared corpus
#   quick    all others
set(tdat_full
	^install$ ^install_abi$ ^install_components$ ^kshark$ ^examples$ _shared ^corpus_clean$ ^corpus_repair$ ^corpus_pair$
	^corpus_facts$ ^corpus_report$ ^split_pieces$ ^split_shrink$ ^write_copy$ ^write_roundtrip$ ^write_safety$ ^tables$ ^consumer$
	^export_text$ ^oracle$ ^filter$ ^native$ ^print$ ^format$ ^symbols$ ^merge$ ^ktr$ ^cut$ ^damage$
	^part_chunk$ ^diff$ ^lint_clang$ ^cli_main_terminal$ ^cli_split_like-trace-cmd$
	^cli_split_filters$ ^cli_convert_tracefs$ ^cli_convert_kmemtrace$ ^cli_convert_ktr$
	^export_ ^lake_ ^record_notify_go$ ^record_notify_threads$ ^record_static_threads$ ^python_ ^sql_values$ ^sql_pushdown$ ^sql_perfetto_queries$
	^analysis_oracle$ ^analysis_scenarios$
	^truth ^view_browser$ ^view_answers_all$ ^view_server_many$ ^view_shares$ ^view_many$
	^view_contract$)

# What is left out with a sanitizer, which it slows down most: tests that read back with programs of others
# what a test beside them writes, too, that build once more (Go builds its programs, too), and that go
# through the browser's page.
set(tdat_read_back
	^install ^lake_ ^record_notify_go$ ^kshark$ ^view_browser$ ^view_answers_all$ ^export_perfetto_ ^sql_perfetto_queries$ ^export_read_ ^export_many_types$
	^export_trace_values$ ^export_queries$ ^export_ctf_foreign$ ^sql_pushdown$ ^truth_shared
	^analysis_oracle_shared$ ^corpus_hist_variables_shared$ ^corpus_hist_rules_shared$)

# The longest tests, longest first, which begin first where no run before has noted how long they take.
set(tdat_long ^view_browser$ ^lake_readers$ ^python_spark$ ^sql_perfetto_queries$ ^lake_commands$ ^python_package$
	^install_components$ ^export_many_types$ ^install_abi$ ^view_many$ ^view_server_many$)

# tdat_tier(TEST...): labels tests of the calling folder.
function(tdat_tier)
	foreach(test ${ARGN})
		set(tier quick)
		foreach(name ${tdat_full})
			if(test MATCHES "${name}")
				set(tier full)
			endif()
		endforeach()
		if(test MATCHES "^hostile_|^damage_cost$")
			set(tier hostile)
		endif()
		if(TDAT_SANITIZE)
			foreach(name ${tdat_read_back})
				if(test MATCHES "${name}")
					set_tests_properties(${test} PROPERTIES DISABLED TRUE)
				endif()
			endforeach()
		endif()
		set(cost 0)
		set(rank 0)
		foreach(name ${tdat_long})
			math(EXPR rank "${rank} + 1")
			if(test MATCHES "${name}")
				math(EXPR cost "100 - ${rank}")
			endif()
		endforeach()
		set_tests_properties(${test} PROPERTIES LABELS ${tier} COST ${cost})
	endforeach()
endfunction()

# All tests of the calling folder: the last line of its CMakeLists.txt.
function(tdat_tiers)
	get_property(tests DIRECTORY PROPERTY TESTS)
	tdat_tier(${tests})
endfunction()

# tdat_one_of_three(LIST): leaves every third file in it, where most of the time goes to comparing;
# TDAT_EVERY_FILE in the environment when CMake runs: all.
function(tdat_one_of_three list)
	if(DEFINED ENV{TDAT_EVERY_FILE})
		return()
	endif()
	set(some)
	set(n 0)
	foreach(file ${${list}})
		if(n EQUAL 0)
			list(APPEND some ${file})
		endif()
		math(EXPR n "(${n} + 1) % 3")
	endforeach()
	set(${list} ${some} PARENT_SCOPE)
endfunction()
