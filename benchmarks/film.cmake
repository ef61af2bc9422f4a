# Pictures per second of gallery:bridge: draft at 640x360, film at 1280x720.
tenon_bench(film_bench LAYERS trace SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/film_bench.cpp)
target_compile_definitions(film_bench PRIVATE TENON_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
