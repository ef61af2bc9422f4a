# The layers, left to right: a layer sees only what it names here (transitively).
tenon_layer(base engine/base FUZZED)
tenon_layer(math engine/math FUZZED DEPENDS base)
tenon_layer(geometry engine/geometry DEPENDS math)
tenon_layer(broad engine/collision/broad DEPENDS math)
tenon_layer(narrow engine/collision/narrow DEPENDS geometry)
tenon_layer(bodies engine/bodies DEPENDS geometry)
tenon_layer(joints engine/joints FOLDERS kinds black_boxes DEPENDS bodies)
tenon_layer(contact engine/contact DEPENDS narrow bodies)
tenon_layer(forces engine/forces DEPENDS bodies)
tenon_layer(integrate engine/integrate DEPENDS bodies)
tenon_layer(mechanism engine/mechanism DEPENDS joints LIBRARIES Eigen3::Eigen)
tenon_layer(articulated engine/solve_articulated DEPENDS mechanism forces)
tenon_layer(displacement engine/solve_displacement DEPENDS mechanism)
tenon_layer(solve_force engine/solve_force DEPENDS mechanism contact forces)
tenon_layer(solve_contact engine/solve_contact DEPENDS bodies)
tenon_layer(faithful engine/solve_contact/faithful DEPENDS contact)
tenon_layer(world engine/world
            DEPENDS broad contact forces integrate articulated displacement solve_force
                    solve_contact faithful)
tenon_layer(document scene/document FUZZED DEPENDS math)
tenon_layer(formats scene/formats FUZZED DEPENDS document)
tenon_layer(forms scene/forms DEPENDS document)
tenon_layer(mesh scene/mesh FUZZED DEPENDS formats forms geometry)
tenon_layer(aero scene/aero FUZZED DEPENDS formats)
tenon_layer(build scene/build DEPENDS aero mesh world)
tenon_layer(bvh scene/bvh FUZZED DEPENDS build)
# models of robots: not in the browser, which has no library to read XML
if(NOT TENON_WASM)
  tenon_layer(xml scene/xml FUZZED DEPENDS formats LIBRARIES PkgConfig::TINYXML2)
  tenon_layer(model scene/model FUZZED DEPENDS xml build)
  tenon_layer(urdf scene/urdf FUZZED DEPENDS model)
  tenon_layer(mjcf scene/mjcf FUZZED DEPENDS model)
  tenon_layer(gltf scene/gltf FUZZED DEPENDS model)
endif()
tenon_layer(recording recording FUZZED DEPENDS bvh LIBRARIES PkgConfig::ZSTD)
tenon_layer(session studio/session COLD DEPENDS build)
tenon_layer(render render DEPENDS recording)
tenon_layer(plot render/plot DEPENDS recording LIBRARIES ZLIB::ZLIB)
tenon_layer(exports render/export DEPENDS render plot)
tenon_layer(report render/report COLD DEPENDS exports)
# pictures and films: for the command and the tests, not in the library that others link
if(TENON_FILM)
  tenon_layer(image render/image DEPENDS plot LIBRARIES PkgConfig::PNG)
  tenon_layer(trace render/trace DEPENDS render image LIBRARIES embree)
  # nobody reads errno or floating-point flags there, and square roots become one instruction
  target_compile_options(tenon_trace PRIVATE -fno-math-errno -fno-trapping-math)
endif()
# the studio's local server: for the command and the tests
if(TENON_FILM)
  tenon_layer(server studio/server COLD DEPENDS session LIBRARIES ${CIVETWEB_LIBRARY})
endif()
# Files that cannot be compiled as one with others of their layer: they open the namespace of
# documents, which has names of the engine, and g++ 12 is wrong about variants that it sees built.
set_source_files_properties(studio/session/describe_scene.cpp studio/session/describe_view.cpp
                            PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
set_target_properties(tenon_plot PROPERTIES UNITY_BUILD OFF)
# Sweeps over contacts are hot, and what a visit calls stands in several files: one unit, so that
# it is inlined.
set_target_properties(tenon_solve_contact PROPERTIES UNITY_BUILD_BATCH_SIZE 20)
