tenon_bench(collide_bench LAYERS narrow SOURCES ${CMAKE_CURRENT_LIST_DIR}/collide_bench.cpp)
