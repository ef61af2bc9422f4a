#include "tenon/benchmarks/meshes/growth.h"

#include <cstdio>

namespace tenon {

// The same rings with edges of 18, 5.7 and 1.8 mm: each time ten times the triangles.
int print_growth(const SceneRun& common) {
  double first = 0;
  for (const char* fine : {"0.667", "2.11", "6.67"}) {
    SceneRun run = common;
    run.name = "rings-nonconvex";
    run.changes.push_back("parameters.n=50");
    run.changes.push_back(std::string("parameters.fine=") + fine);
    if (!(run.seconds > 0)) run.seconds = 4;
    SceneFigures figures;
    if (!run_scene(run, figures)) return 1;
    if (first <= 0) first = figures.cpu_ms;
    std::printf(
        "fine %-6s %9zu triangles  %.2f ms of CPU per step, %.2f times the first  (load %.1f s)\n",
        fine, figures.triangles, figures.cpu_ms, figures.cpu_ms / first, figures.load_s);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace tenon
