// Prints what Tenon and the peers that are built in do on the same jointed mechanisms: time per
// frame, joint gaps, energy. See --help; docs/benchmarks.md says how to read it.
#include <cmath>
#include <cstdio>

#include "tenon/benchmarks/engines/command_line.h"
#include "tenon/benchmarks/joints/options.h"
#include "tenon/cli/large_pages.h"

namespace tenon {
namespace {

// Time of the first engine that is Tenon; 0 if none ran.
double tenon_ms(const TableOptions& options, const std::vector<Figures>& figures) {
  for (size_t i = 0; i < figures.size(); ++i) {
    if (!options.contestants[i].kind.peer && figures[i].refused.empty()) return figures[i].ms;
  }
  return 0;
}

void print_table(const TableOptions& options, const BenchScene& scene,
                 const std::vector<Figures>& figures) {
  std::printf("\n### %s: %zu bodies, %zu joints, %g s in frames of %.4g ms\n\n", scene.name.c_str(),
              scene.bodies.size(), scene.joints.size(), options.race.seconds,
              1e3 * options.race.frame);
  std::printf(
      "| engine | steps per frame | ms per frame | Tenon / it | worst frame, ms "
      "| gap max, m (of a link) | gap RMS, m (of a link) "
      "| energy end - start, J (min .. max) | verdict |\n|---|---|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < figures.size(); ++i) {
    const Figures& f = figures[i];
    std::printf("| %s | %d ", options.contestants[i].kind.text.c_str(),
                options.contestants[i].substeps);
    if (!f.refused.empty()) {
      std::printf("| | | | | | | not run: %s |\n", f.refused.c_str());
      continue;
    }
    const double percent = 100 / scene.link_length;
    const double tenon = tenon_ms(options, figures);
    char ratio[20] = "";
    if (tenon > 0) std::snprintf(ratio, sizeof ratio, "%.3g", tenon / f.ms);
    std::printf("| %.4g | %s | %.3g ", f.ms, ratio, f.worst_ms);
    std::printf("| %.2g (%.2g %%) | %.2g (%.2g %%) ", f.gap_max_m, percent * f.gap_max_m,
                f.gap_rms_m, percent * f.gap_rms_m);
    std::printf("| %.4g (%.4g .. %.4g) | %s |\n", f.energy_end - f.energy_start,
                f.energy_min - f.energy_start, f.energy_max - f.energy_start, verdict(f).c_str());
  }
}

// One JSON object per engine and scene. Numbers that are not finite do not get here: a run stops.
void print_json(const TableOptions& options, const BenchScene& scene,
                const std::vector<Figures>& figures, bool first_scene) {
  for (size_t i = 0; i < figures.size(); ++i) {
    const Figures& f = figures[i];
    const Contestant& who = options.contestants[i];
    std::printf("%s\n  {\"scene\": \"%s\", \"bodies\": %zu, \"joints\": %zu, \"engine\": \"%s\", ",
                first_scene && i == 0 ? "" : ",", scene.name.c_str(), scene.bodies.size(),
                scene.joints.size(), who.kind.name.c_str());
    std::printf("\"version\": \"%s\", \"substeps\": %d, ", who.kind.text.c_str(), who.substeps);
    if (!f.refused.empty()) {
      std::printf("\"refused\": \"%s\"}", f.refused.c_str());
      continue;
    }
    std::printf("\"frame_s\": %.17g, \"frames\": %d, \"frames_wanted\": %d, \"repetitions\": %d, ",
                options.race.frame, f.frames, f.frames_wanted, f.repetitions);
    std::printf("\"ms\": %.6g, \"worst_ms\": %.6g, \"tenon_ratio\": %.6g, ", f.ms, f.worst_ms,
                tenon_ms(options, figures) / f.ms);
    std::printf("\"link_m\": %g, \"gap_max_m\": %.6g, \"gap_rms_m\": %.6g, \"gap_end_m\": %.6g, ",
                scene.link_length, f.gap_max_m, f.gap_rms_m, f.gap_end_m);
    std::printf("\"axis_max_rad\": %.6g, \"speed_max\": %.6g, \"kinetic_max_J\": %.6g, ",
                f.axis_max_rad, f.speed_max, f.kinetic_max);
    std::printf("\"energy_J\": {\"start\": %.9g, \"end\": %.9g, \"min\": %.9g, \"max\": %.9g}, ",
                f.energy_start, f.energy_end, f.energy_min, f.energy_max);
    std::printf("\"failed_at_s\": %.6g, \"torn_at_s\": %.6g, \"note\": \"%s\"}", f.failed_at_s,
                f.torn_at_s, f.note.c_str());
  }
}

struct GrowthColumn {
  BenchScene scene;
  std::vector<Figures> figures;
};

void print_growth(const TableOptions& options, const std::vector<GrowthColumn>& columns) {
  std::printf("\nms per frame of %.4g ms (us per joint), %g s\n\n| engine | steps per frame |",
              1e3 * options.race.frame, options.race.seconds);
  for (const auto& column : columns) std::printf(" %s |", column.scene.name.c_str());
  std::printf(" grows with |\n|---|---|");
  for (size_t k = 0; k < columns.size(); ++k) std::printf("---|");
  std::printf("---|\n| joints | |");
  for (const auto& column : columns) std::printf(" %zu |", column.scene.joints.size());
  std::printf(" |\n");
  for (size_t i = 0; i < options.contestants.size(); ++i) {
    std::printf("| %s | %d |", options.contestants[i].kind.text.c_str(),
                options.contestants[i].substeps);
    double first[2] = {0, 0}, last[2] = {0, 0};
    for (const auto& [scene, figures] : columns) {
      const Figures& f = figures[i];
      if (!f.refused.empty()) {
        std::printf(" not run |");
        continue;
      }
      const double joints = static_cast<double>(scene.joints.size());
      std::printf(" %.3g (%.3g)%s |", f.ms, 1e3 * f.ms / joints,
                  f.failed_at_s > 0 ? " failed" : "");
      if (first[0] == 0) first[0] = joints, first[1] = f.ms;
      last[0] = joints, last[1] = f.ms;
    }
    if (last[0] > first[0]) {
      std::printf(" n^%.2f |\n", std::log(last[1] / first[1]) / std::log(last[0] / first[0]));
    } else {
      std::printf(" |\n");
    }
  }
}

int run_table(const std::vector<std::string>& arguments) {
  const std::vector<EngineKind> engines = all_engines();
  const auto options = parse_table_options(arguments, engines);
  if (!options) {
    std::fprintf(stderr, "joint_table: %s\n", format(options.error()).c_str());
    return 2;
  }
  if (options->help) {
    print_help(kTableUsage, engines);
    return 0;
  }
  if (options->json) std::printf("[");
  std::vector<GrowthColumn> columns;
  for (size_t i = 0; i < options->scenes.size(); ++i) {
    BenchScene scene = make_scene(options->scenes[i]);
    std::vector<Figures> figures = race(scene, options->contestants, options->race);
    if (options->json) {
      print_json(*options, scene, figures, i == 0);
    } else if (options->growth) {
      columns.push_back({std::move(scene), std::move(figures)});
    } else {
      print_table(*options, scene, figures);
    }
    std::fflush(stdout);
  }
  if (options->json) std::printf("\n]\n");
  if (!columns.empty()) print_growth(*options, columns);
  return 0;
}

}  // namespace
}  // namespace tenon

int main(int argc, char** argv) {
  tenon::use_large_pages(argv);
  return tenon::run_table({argv + 1, argv + argc});
}
