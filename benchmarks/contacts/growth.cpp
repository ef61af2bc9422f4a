#include "tenon/benchmarks/contacts/growth.h"

#include <cmath>
#include <cstdio>

#include "tenon/benchmarks/contacts/scenes.h"
#include "tenon/engine/world/diagnostics.h"

namespace tenon {
namespace {

struct Column {
  BenchScene scene;
  std::vector<Figures> figures;  // by contestant
};

Column run_column(const ContactTableOptions& options, const std::string& name, double lead_in) {
  Column column;
  if (auto scene = make_contact_scene(name)) column.scene = std::move(*scene);
  RaceSettings settings = options.race;
  settings.lead_in = lead_in;
  column.figures = race(column.scene, options.contestants, settings);
  return column;
}

// Slope of the straight line nearest to (log x, log y) in the sense of least squares; NaN without
// two different x.
class Exponent {
 public:
  void add(double x, double y) {
    if (!(x > 0 && y > 0)) return;
    const double u = std::log(x), v = std::log(y);
    n_ += 1, u_ += u, v_ += v, uu_ += u * u, uv_ += u * v;
  }
  double get() const {
    const double spread = n_ * uu_ - u_ * u_;
    return spread > 1e-9 ? (n_ * uv_ - u_ * v_) / spread : NAN;
  }

 private:
  double n_ = 0, u_ = 0, v_ = 0, uu_ = 0, uv_ = 0;
};

// Per cent of the step that a phase took; NaN where phases are not known.
double calc_share(const Figures& f, const std::string& phase) {
  double total = 0, part = 0;
  for (const PhaseTime& each : f.phases) {
    total += each.ms;
    if (each.name == phase) part = each.ms;
  }
  return total > 0 ? 100 * part / total : NAN;
}

// What makes a time not comparable with those beside it.
std::string caveat(const Figures& f) {
  if (f.failed_at_s > 0) return " failed";
  if (f.frames < f.frames_wanted) return " in " + std::to_string(f.frames) + " frames";
  return {};
}

void print_engine(const Contestant& who) {
  std::printf("| %s, %d |", who.kind.text.c_str(), who.substeps);
}

void print_ragdolls(const ContactTableOptions& options, const std::vector<Column>& columns) {
  const Column &small = columns.front(), &large = columns.back();
  std::printf("\n### Ragdolls: ms per frame of %.4g ms, %g s; %zu and %zu bodies\n\n",
              1e3 * options.race.frame, options.race.seconds, small.scene.bodies.size(),
              large.scene.bodies.size());
  std::printf("| engine, steps per frame | 20 | 200 | time(200) / time(20) |\n|---|---|---|---|\n");
  for (size_t i = 0; i < options.contestants.size(); ++i) {
    const Figures &a = small.figures[i], &b = large.figures[i];
    if (!a.refused.empty() || !b.refused.empty()) continue;
    print_engine(options.contestants[i]);
    std::printf(" %.4g%s | %.4g%s | %.3g |\n", a.ms, caveat(a).c_str(), b.ms, caveat(b).c_str(),
                b.ms / a.ms);
  }
}

void print_rings(const ContactTableOptions& options, const std::vector<Column>& columns) {
  std::printf(
      "\n### Rings on 4 poles: ms per frame of %.4g ms (us per contact, us per joint), %g s\n",
      1e3 * options.race.frame, options.race.seconds);
  std::printf("\n| engine, steps per frame |");
  for (const Column& column : columns) {
    std::printf(" %s: %zu joints |", column.scene.name.c_str(), column.scene.joints.size());
  }
  std::printf(" grows with joints | with contacts |\n|---|");
  for (size_t k = 0; k < columns.size() + 2; ++k) std::printf("---|");
  std::printf("\n");
  for (size_t i = 0; i < options.contestants.size(); ++i) {
    print_engine(options.contestants[i]);
    Exponent by_joints, by_contacts;
    for (const auto& [scene, figures] : columns) {
      const Figures& f = figures[i];
      if (!f.refused.empty()) {
        std::printf(" not run |");
        continue;
      }
      const double joints = static_cast<double>(scene.joints.size());
      std::printf(" %.3g (%.3g, %.3g)%s |", f.ms, 1e3 * f.ms / f.contacts, 1e3 * f.ms / joints,
                  caveat(f).c_str());
      by_joints.add(joints, f.ms);
      by_contacts.add(f.contacts, f.ms);
    }
    std::printf(" n^%.2f | n^%.2f |\n", by_joints.get(), by_contacts.get());
  }
}

// Joints and contacts of Tenon's step, over all scenes run.
void print_shares(const ContactTableOptions& options, const std::vector<Column>& columns) {
  std::printf("\n### Share of the joints in the step\n\n");
  std::printf(
      "| engine, steps per frame | scene | contacts | ms in mechanisms | share |"
      " grows with joints |\n|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < options.contestants.size(); ++i) {
    Exponent by_joints;
    for (const auto& [scene, figures] : columns) {
      const Figures& f = figures[i];
      const double share = calc_share(f, name(Phase::kMechanisms));
      if (std::isnan(share)) continue;
      const double ms = 0.01 * share * f.ms;
      if (scene.name.starts_with("rings-")) {
        by_joints.add(static_cast<double>(scene.joints.size()), ms);
      }
      print_engine(options.contestants[i]);
      std::printf(" %s | %.0f | %.3g | %.1f %% | ", scene.name.c_str(), f.contacts, ms, share);
      if (std::isfinite(by_joints.get())) std::printf("n^%.2f ", by_joints.get());
      std::printf("|\n");
    }
  }
}

}  // namespace

void print_phases(const std::vector<Contestant>& contestants, const std::vector<Figures>& figures) {
  for (size_t i = 0; i < figures.size(); ++i) {
    if (figures[i].phases.empty() || std::isnan(calc_share(figures[i], ""))) continue;
    std::printf("\nPhases of %s:", contestants[i].kind.text.c_str());
    for (const PhaseTime& phase : figures[i].phases) {
      std::printf(" %s %.1f %%,", phase.name.c_str(), calc_share(figures[i], phase.name));
    }
    std::printf(" %.0f contacts per step\n", figures[i].contacts);
  }
}

void print_growth(const ContactTableOptions& options) {
  std::vector<Column> ragdolls, rings;
  for (const char* name : {"S5_20", "S5_200"}) ragdolls.push_back(run_column(options, name, 0));
  print_ragdolls(options, ragdolls);
  std::fflush(stdout);
  for (int size : options.sizes) {
    // links that are free to turn sink between those below: the top falls by half of its height
    const double fall = 0.5 * 0.072 * size, lead_in = 0.5 + std::sqrt(2 * fall / kSceneGravity);
    rings.push_back(run_column(options, "rings-" + std::to_string(size), lead_in));
  }
  print_rings(options, rings);
  ragdolls.insert(ragdolls.end(), rings.begin(), rings.end());
  print_shares(options, ragdolls);
}

}  // namespace tenon
