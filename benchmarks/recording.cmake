tenon_bench(recording_bench LAYERS recording SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/recording_bench.cpp)
