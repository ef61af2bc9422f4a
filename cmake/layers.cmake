# One OBJECT library per layer, in the order of the layer rule (ARCHITECTURE.md). A test or tool
# names the highest layer it needs and gets that layer with everything below it, so a folder can
# be built and tested without the ones to its right.

# tenon_layer(NAME DIR [FOLDERS folder...] [DEPENDS layer...]): all .cpp files of DIR, of its
# `detail/` and of the subfolders named (other subfolders are layers of their own). FUZZED: a fuzzer
# reads with it, and is guided by what it reaches; elsewhere its counters would only cost time. COLD:
# no simulation spends its time there, so that a sanitizer sees it as it is written: that finds no
# less, and takes a third of the time to compile.
function(tenon_layer name dir)
  cmake_parse_arguments(ARG "FUZZED;COLD" "" "FOLDERS;DEPENDS;LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${dir}/*.cpp
       ${PROJECT_SOURCE_DIR}/${dir}/detail/*.cpp)
  foreach(folder IN LISTS ARG_FOLDERS)
    file(GLOB more CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${dir}/${folder}/*.cpp)
    list(APPEND sources ${more})
  endforeach()
  set(closure "")
  set(libraries ${ARG_LIBRARIES})
  foreach(dependency IN LISTS ARG_DEPENDS)
    get_property(below GLOBAL PROPERTY TENON_CLOSURE_${dependency})
    get_property(below_libraries GLOBAL PROPERTY TENON_LIBRARIES_${dependency})
    list(APPEND closure ${below})
    list(APPEND libraries ${below_libraries})
  endforeach()
  if(sources)
    add_library(tenon_${name} OBJECT ${sources})
    target_link_libraries(tenon_${name} PRIVATE tenon_flags)
    if(ARG_FUZZED AND TENON_FUZZERS)
      target_compile_options(tenon_${name} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
    if(ARG_COLD)
      tenon_cold(tenon_${name})
    endif()
    if(libraries)
      target_link_libraries(tenon_${name} PRIVATE ${libraries})
    endif()
    list(APPEND closure tenon_${name})
  endif()
  list(REMOVE_DUPLICATES closure)
  list(REMOVE_DUPLICATES libraries)
  set_property(GLOBAL PROPERTY TENON_CLOSURE_${name} "${closure}")
  set_property(GLOBAL PROPERTY TENON_LIBRARIES_${name} "${libraries}")
endfunction()

# tenon_cold(TARGET): what COLD says, of a target
function(tenon_cold target)
  if(TENON_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

# tenon_link_layers(TARGET layer...): objects of these layers and of all layers below them.
function(tenon_link_layers target)
  set(closure "")
  foreach(layer IN LISTS ARGN)
    get_property(below GLOBAL PROPERTY TENON_CLOSURE_${layer})
    get_property(libraries GLOBAL PROPERTY TENON_LIBRARIES_${layer})
    list(APPEND closure ${below})
    target_link_libraries(${target} PRIVATE ${libraries})
  endforeach()
  list(REMOVE_DUPLICATES closure)
  foreach(objects IN LISTS closure)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
  endforeach()
  target_link_libraries(${target} PRIVATE tenon_flags Threads::Threads)
endfunction()

# tenon_test(NAME LAYERS layer... SOURCES file... [LIBRARIES lib...] [LABEL text] [THREADS filter]
#            [HOT] [APART])
# THREADS names the cases that start threads (a filter of GoogleTest): all that the thread sanitizer
# runs, by the label `threads` and the target threads_tests. HOT: what it compares with takes most of
# its time (brute force, dense matrices), so that it is optimised under a sanitizer too. APART: its
# files repeat each other's names, and are never compiled as one.
function(tenon_test name)
  cmake_parse_arguments(ARG "HOT;APART" "LABEL;THREADS" "LAYERS;SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  tenon_link_layers(${name} ${ARG_LAYERS})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} GTest::gtest GTest::gtest_main
                                        tenon_test_flags)
  list(LENGTH ARG_SOURCES files)
  if(ARG_APART OR files EQUAL 1)
    set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
  endif()
  if(ARG_HOT)
    set_source_files_properties(${ARG_SOURCES} PROPERTIES COMPILE_OPTIONS -O1)
  elseif(TARGET tenon_test_headers)
    target_precompile_headers(${name} REUSE_FROM tenon_test_headers)
  endif()
  if(ARG_THREADS AND TENON_SANITIZE STREQUAL "thread")
    add_test(NAME ${name} COMMAND ${name} --gtest_filter=${ARG_THREADS})
  else()
    add_test(NAME ${name} COMMAND ${name})
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT 900)
  if(name IN_LIST TENON_LONG_TESTS)
    set_tests_properties(${name} PROPERTIES COST 500)
  endif()
  if(ARG_THREADS)
    set(ARG_LABEL threads)
  endif()
  if(ARG_LABEL)
    set_tests_properties(${name} PROPERTIES LABELS ${ARG_LABEL})
    if(NOT TARGET ${ARG_LABEL}_tests)
      add_custom_target(${ARG_LABEL}_tests)
    endif()
    add_dependencies(${ARG_LABEL}_tests ${name})
  endif()
endfunction()

# tenon_bench(NAME LAYERS layer... SOURCES file...): a Google Benchmark program.
function(tenon_bench name)
  cmake_parse_arguments(ARG "" "" "LAYERS;SOURCES" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  tenon_link_layers(${name} ${ARG_LAYERS})
  target_link_libraries(${name} PRIVATE benchmark::benchmark)
endfunction()
