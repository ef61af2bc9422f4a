tenon_bench(contact_frame_bench LAYERS broad narrow
            SOURCES ${CMAKE_CURRENT_LIST_DIR}/contact_frame_bench.cpp)
