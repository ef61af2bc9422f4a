# Meshes and their distance fields: how long they take to make and to load.
add_executable(mesh_bench ${CMAKE_CURRENT_LIST_DIR}/mesh_bench.cpp)
tenon_link_layers(mesh_bench geometry)
