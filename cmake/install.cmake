# The library as users link it: one static archive with all layers, found by
# find_package(tenon) as tenon::tenon, or by pkg-config as tenon.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(tenon STATIC)
add_library(tenon::tenon ALIAS tenon)
foreach(top report urdf mjcf gltf)
  get_property(closure GLOBAL PROPERTY TENON_CLOSURE_${top})
  list(APPEND tenon_layers ${closure})
endforeach()
list(REMOVE_DUPLICATES tenon_layers)
foreach(layer IN LISTS tenon_layers)
  target_sources(tenon PRIVATE $<TARGET_OBJECTS:${layer}>)
endforeach()
set_target_properties(tenon PROPERTIES LINKER_LANGUAGE CXX)
target_compile_features(tenon PUBLIC cxx_std_20)
# inline functions of our headers must round as those in the archive do
target_compile_options(tenon PUBLIC -ffp-contract=off)
target_link_libraries(tenon PUBLIC Threads::Threads zstd z tinyxml2)
if(TENON_SANITIZE)
  target_link_options(tenon PUBLIC -fsanitize=${TENON_SANITIZE})
endif()
target_include_directories(tenon PUBLIC $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
                                        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

install(TARGETS tenon EXPORT tenonTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT tenonTargets NAMESPACE tenon:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tenon)
install(FILES tenon.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tenon)
install(DIRECTORY engine scene recording render DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tenon
        FILES_MATCHING PATTERN "*.h"
        PATTERN "render/trace" EXCLUDE PATTERN "render/image" EXCLUDE)
configure_package_config_file(cmake/tenonConfig.cmake.in ${PROJECT_BINARY_DIR}/tenonConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tenon)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tenonConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tenonConfig.cmake ${PROJECT_BINARY_DIR}/tenonConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tenon)
configure_file(cmake/tenon.pc.in ${PROJECT_BINARY_DIR}/tenon.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tenon.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES docs/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/tenon OPTIONAL)
