# Assembly of the structures of Faure 1998.
add_executable(assembly_table ${CMAKE_CURRENT_LIST_DIR}/assembly_table.cpp)
tenon_link_layers(assembly_table build)
target_compile_definitions(assembly_table PRIVATE TENON_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
