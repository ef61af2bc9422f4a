# Broad phase. Bullet's is measured beside ours where it is installed (libbullet-dev).
tenon_bench(broad_bench LAYERS broad SOURCES ${CMAKE_CURRENT_LIST_DIR}/broad_bench.cpp)
add_executable(broad_table ${CMAKE_CURRENT_LIST_DIR}/broad_table.cpp)
tenon_link_layers(broad_table broad)
pkg_check_modules(BULLET QUIET IMPORTED_TARGET bullet)
if(BULLET_FOUND)
  target_link_libraries(broad_table PRIVATE PkgConfig::BULLET)
  target_compile_definitions(broad_table PRIVATE TENON_WITH_BULLET=1)
endif()
