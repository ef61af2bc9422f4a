#include "tenon/cli/idle_forces.h"

#include <algorithm>

#include "tenon/cli/line.h"

namespace tenon::cli {
namespace {

constexpr size_t kMostNamed = 5;  // more are counted

// Whether its strength is zero at all times from `begin` to `end`; straight between keys, so it is
// enough to look at the ends and at the keys between them.
bool is_zero_during(const scene::Force& f, double begin, double end) {
  if (f.force == Vec3{} && f.torque == Vec3{} && f.magnitude == 0) return true;
  if (f.ramp) return f.ramp->from == 0 && f.ramp->to == 0;
  if (f.curve.empty()) return false;
  const auto scale_at = [&](double t) {
    if (t <= f.curve.front().t) return f.curve.front().scale;
    for (size_t i = 1; i < f.curve.size(); ++i) {
      const scene::ForceKey &a = f.curve[i - 1], &b = f.curve[i];
      if (t <= b.t) return a.scale + (b.scale - a.scale) * ((t - a.t) / (b.t - a.t));
    }
    return f.curve.back().scale;
  };
  if (scale_at(begin) != 0 || scale_at(end) != 0) return false;
  return std::all_of(f.curve.begin(), f.curve.end(), [&](const scene::ForceKey& key) {
    return key.scale == 0 || key.t < begin || key.t > end;
  });
}

}  // namespace

std::vector<std::string> find_idle_forces(const scene::Document& flat) {
  std::vector<std::string> hints;
  size_t count = 0;
  const double run_end = flat.world.duration;
  for (const scene::Force& f : flat.forces) {
    const double begin = begin_of(f), end = end_of(f).value_or(run_end);
    std::string hint;
    if (begin >= run_end) {
      hint = line("The force \"%s\" begins at %.6g s, but the run ends at %.6g s: it never acts.",
                  f.name.c_str(), begin, run_end);
    } else if (end <= 0) {
      hint = line("The force \"%s\" ends at %.6g s, before the run begins: it never acts.",
                  f.name.c_str(), end);
    } else if (is_zero_during(f, std::max(begin, 0.0), std::min(end, run_end))) {
      hint = line("The force \"%s\" is zero during the whole run, 0 to %.6g s: it never acts.",
                  f.name.c_str(), run_end);
    }
    if (!hint.empty() && ++count <= kMostNamed) hints.push_back(std::move(hint));
  }
  if (count > kMostNamed) {
    hints.push_back(line("%zu more forces never act in this run.", count - kMostNamed));
  }
  return hints;
}

}  // namespace tenon::cli
