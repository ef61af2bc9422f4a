// Time per step against the number of triangles, at the same shapes.
#pragma once

#include "tenon/benchmarks/meshes/run_scene.h"

namespace tenon {

int print_growth(const SceneRun& common);

}  // namespace tenon
