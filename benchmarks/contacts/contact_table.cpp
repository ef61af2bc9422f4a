// Prints what Tenon and the peers that are built in do on the same scenes with contacts: time per
// frame, joint gaps, overlaps, energy. See --help; docs/benchmarks.md says how to read it.
#include <cmath>
#include <cstdio>

#include "tenon/benchmarks/contacts/growth.h"
#include "tenon/benchmarks/contacts/scenes.h"
#include "tenon/benchmarks/engines/command_line.h"
#include "tenon/cli/large_pages.h"

namespace tenon {
namespace {

struct Row {
  std::string scene;
  size_t bodies = 0, joints = 0;
  std::vector<Figures> figures;
};

// ms per frame of an engine with one step per frame; NaN if it did not run.
double one_step_ms(const ContactTableOptions& options, const std::vector<Figures>& figures,
                   const std::string& engine) {
  for (size_t i = 0; i < figures.size(); ++i) {
    const Contestant& who = options.contestants[i];
    if (who.kind.name == engine && who.substeps == 1 && figures[i].refused.empty()) {
      return figures[i].ms;
    }
  }
  return NAN;
}

void print_ratio(double ratio) {
  if (std::isnan(ratio)) {
    std::printf("| ");
  } else {
    std::printf("| %.3g ", ratio);
  }
}

void print_row(const BenchScene& scene, const Figures& f) {
  std::printf("| %.2g / %.2g / %.2g ", f.gap_max_m, f.gap_rms_m, f.gap_end_m);
  std::printf("| %.2g | %.2g ", f.axis_max_rad, f.limit_max_rad);
  std::printf("| %.2g / %.2g ", f.penetration_max_m, f.penetration_end_m);
  std::printf("| %.4g (%.4g) ", f.energy_end - f.energy_start, f.energy_max - f.energy_start);
  if (scene.rings > 0) {
    std::printf("| %d / %d of %d rings ", f.rings_end, f.rings_always, scene.rings);
  } else if (scene.top >= 0) {
    const Vec3& d = f.top_drift_m;
    std::printf("| top %.2g aside, %.2g up ", norm(Vec3{d.x, 0, d.z}), d.y);
  } else {
    std::printf("| ");
  }
  std::printf("| %s |\n", verdict(f).c_str());
}

void print_table(const ContactTableOptions& options, const BenchScene& scene,
                 const std::vector<Figures>& figures) {
  std::printf("\n### %s: %zu bodies, %zu joints, %g s in frames of %.4g ms\n\n", scene.name.c_str(),
              scene.bodies.size(), scene.joints.size(), options.race.seconds,
              1e3 * options.race.frame);
  std::printf(
      "| engine | steps per frame | ms per frame | worst, ms | / Bullet | / ODE "
      "| gap max / RMS / end, m | axis, rad | limit, rad | overlap max / end, m "
      "| energy end (max) - start, J | intact | verdict |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  const double bullet = one_step_ms(options, figures, "bullet");
  const double ode = one_step_ms(options, figures, "ode");
  for (size_t i = 0; i < figures.size(); ++i) {
    const Figures& f = figures[i];
    std::printf("| %s | %d ", options.contestants[i].kind.text.c_str(),
                options.contestants[i].substeps);
    if (!f.refused.empty()) {
      std::printf("| | | | | | | | | | | not run: %s |\n", f.refused.c_str());
      continue;
    }
    std::printf("| %.4g | %.3g ", f.ms, f.worst_ms);
    print_ratio(f.ms / bullet);
    print_ratio(f.ms / ode);
    print_row(scene, f);
  }
  if (options.race.phases) print_phases(options.contestants, figures);
}

// All scenes at a glance: ms per frame, and by how much the first engine differs.
void print_summary(const ContactTableOptions& options, const std::vector<Row>& rows) {
  std::printf("\n### ms per frame (%s / it)\n\n| scene | bodies | joints |",
              options.contestants.front().kind.text.c_str());
  for (const Contestant& who : options.contestants) {
    std::printf(" %s, %d |", who.kind.text.c_str(), who.substeps);
  }
  std::printf("\n|---|---|---|");
  for (size_t i = 0; i < options.contestants.size(); ++i) std::printf("---|");
  for (const Row& row : rows) {
    std::printf("\n| %s | %zu | %zu |", row.scene.c_str(), row.bodies, row.joints);
    for (size_t i = 0; i < row.figures.size(); ++i) {
      const Figures& f = row.figures[i];
      if (!f.refused.empty()) {
        std::printf(" |");
      } else if (i == 0) {
        std::printf(" %.3g |", f.ms);
      } else if (!row.figures[0].refused.empty()) {
        std::printf(" %.3g |", f.ms);
      } else {
        std::printf(" %.3g (%.2g) |", f.ms, row.figures[0].ms / f.ms);
      }
    }
  }
  std::printf("\n");
}

int refuse(const Error& error) {
  std::fprintf(stderr, "contact_table: %s\n", format(error).c_str());
  return 2;
}

int run_table(const std::vector<std::string>& arguments) {
  const std::vector<EngineKind> engines = all_engines();
  const auto options = parse_contact_options(arguments, engines);
  if (!options) return refuse(options.error());
  if (options->help) {
    print_help(kContactTableUsage, engines);
    return 0;
  }
  if (options->growth) {
    print_growth(*options);
    return 0;
  }
  // a misspelt scene is told before the first has run for minutes
  for (const std::string& name : options->scenes) {
    if (make_contact_scene(name)) continue;
    return refuse({.message = "unknown scene", .value = name, .accepted = kContactScenes});
  }
  std::vector<Row> rows;
  for (const std::string& name : options->scenes) {
    const BenchScene scene = *make_contact_scene(name);
    std::vector<Figures> figures = race(scene, options->contestants, options->race);
    print_table(*options, scene, figures);
    std::fflush(stdout);
    rows.push_back({name, scene.bodies.size(), scene.joints.size(), std::move(figures)});
  }
  print_summary(*options, rows);
  return 0;
}

}  // namespace
}  // namespace tenon

int main(int argc, char** argv) {
  tenon::use_large_pages(argv);
  return tenon::run_table({argv + 1, argv + argc});
}
