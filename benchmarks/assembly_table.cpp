// Prints what assembling the structures of [Faure1998] takes: residuals and times by budget, and
// the curve of the residual over inner iterations. CPU time of this thread, the least of
// repetitions.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "tenon/benchmarks/cpu_clock.h"
#include "tenon/scene/build/build.h"
#include "tenon/scene/formats/scene_text.h"

namespace tenon {
namespace {

scene::BuiltScene load(const std::string& name, std::vector<std::string> changes) {
  std::ifstream in(std::string(TENON_SOURCE_DIR) + "/gallery/" + name + ".json");
  std::stringstream text;
  text << in.rdbuf();
  scene::LoadOptions options;
  options.overrides = std::move(changes);
  const scene::LoadResult loaded = scene::load_scene(text.str(), name, options);
  for (const Error& e : loaded.errors) std::fprintf(stderr, "%s\n", format(e).c_str());
  scene::BuildResult built = scene::build(loaded.flat, {.threads = 1, .assemble = false});
  for (const Error& e : built.errors) std::fprintf(stderr, "%s\n", format(e).c_str());
  return std::move(built.scene.at(0));
}

AssemblyDef make_def(int geometric, int inner) {
  AssemblyDef def;
  def.effort.geometric = geometric;
  def.effort.inner = inner;
  def.effort.precision = inner > 0 ? 1e-14 : 1e-9;
  return def;
}

struct Figure {
  AssemblyReport report;
  double ms = 1e30;
};

Figure measure(const std::string& name, const std::vector<std::string>& changes, int geometric,
               int inner) {
  scene::BuiltScene s = load(name, changes);
  const Snapshot apart = s.world.snapshot();
  const AssemblyDef def = make_def(geometric, inner);
  Figure figure;
  for (int repetition = 0; repetition < 20; ++repetition) {
    s.world.restore(apart);
    const double begin = cpu_seconds();
    figure.report = *s.world.assemble(def);
    figure.ms = std::min(figure.ms, 1e3 * (cpu_seconds() - begin));
  }
  return figure;
}

void print_table(const char* title, const std::string& name,
                 const std::vector<std::string>& changes,
                 std::initializer_list<std::pair<int, int>> budgets) {
  std::printf("\n%s\n%-12s %10s %10s %12s %12s %10s\n", title, "budget", "geometric", "inner",
              "start", "residual", "ms");
  for (const auto& [geometric, inner] : budgets) {
    const Figure f = measure(name, changes, geometric, inner);
    char budget[32];
    std::snprintf(budget, sizeof budget, inner > 0 ? "%dx%d" : "direct", geometric, inner);
    std::printf("%-12s %10u %10u %12.2e %12.2e %10.3f\n", budget, f.report.geometric,
                f.report.inner, f.report.start, f.report.error, f.ms);
  }
}

// Frames of 1/60 s by the method of displacements, each with one iteration of fifteen.
void print_frames() {
  scene::BuiltScene s =
      load("faure/plate", {"world.displacement={\"projection\": \"predicted\", \"solver\": "
                           "\"conjugate_gradients\", \"geometric\": 1, \"inner\": 15}"});
  double worst = 0, most = 0, sum = 0;
  const int frames = 360;
  for (int i = 0; i < frames; ++i) {
    const double begin = cpu_seconds();
    s.world.step();
    const double ms = 1e3 * (cpu_seconds() - begin);
    worst = std::max(worst, s.world.diagnostics().joint_gap_rel);
    most = std::max(most, ms);
    sum += ms;
  }
  std::printf("\n(c) 28 solids, 108 constraints, plate shaken, 1x15 per frame, %d frames\n",
              frames);
  std::printf("mean %.3f ms, longest %.3f ms, largest gap %.2e of a link\n", sum / frames, most,
              worst);
}

}  // namespace
}  // namespace tenon

int main() {
  tenon::print_table("(a) 160 solids, 758 constraints, starting apart", "faure/hand-in-hand", {},
                     {{6, 30}, {6, 60}, {200, 0}});
  const std::vector<std::string> apart = {"parameters.apart=0.5", "parameters.turned=0.2"};
  tenon::print_table(
      "(b) 56 solids, 261 constraints, starting apart", "faure/drag", apart,
      {{1, 5}, {2, 5}, {2, 10}, {2, 20}, {3, 10}, {3, 20}, {3, 50}, {4, 50}, {200, 0}});
  tenon::print_frames();
  return 0;
}
