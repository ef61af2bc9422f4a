#include "tenon/scene/mjcf/export_contact.h"

#include <algorithm>
#include <cmath>

#include "tenon/scene/mjcf/exact_numbers.h"

namespace tenon::scene::mjcf {
namespace {

// solref of what bounces, as stiffness and damping per mass: 1/s^2 and 1/s. Firm enough for a
// millimetre under a body's own weight, soft enough for steps of 2 ms.
constexpr double kStiffness = 1e4;
constexpr double kTiny = 1e-12;  // m: a friction nobody feels, which tells two classes apart

// The bounce that geoms.cpp reads from a damping.
double bounce_of(double damping) {
  const double ratio = damping / (2 * std::sqrt(kStiffness));
  return std::clamp(exp(-kPi * ratio / std::sqrt(1 - ratio * ratio)), 0.0, 1.0);
}

double damping_for(double restitution, size_t& inexact) {
  const double l = log(restitution);
  const double ratio = -l / std::sqrt(kPi * kPi + l * l);
  double damping = 2 * std::sqrt(kStiffness) * ratio;
  if (!find_number([&](double d) { return d >= 0 && bounce_of(d) == restitution; }, damping)) {
    ++inexact;
  }
  return damping;
}

struct PairValues {
  double sliding = 0, spinning = 0, rolling = 0, restitution = 0;
};

// As a run has it: what the pair says, else the geometric mean.
PairValues find_pair(const Document& flat, const Material& a, const Material& b) {
  const auto mean = [](double x, double y) { return std::sqrt(x * y); };
  PairValues v{mean(a.sliding_friction, b.sliding_friction),
               mean(a.spinning_friction, b.spinning_friction),
               mean(a.rolling_friction, b.rolling_friction), mean(a.restitution, b.restitution)};
  for (const MaterialPair& pair : flat.pairs) {
    const bool both = (pair.materials[0] == a.name && pair.materials[1] == b.name) ||
                      (pair.materials[0] == b.name && pair.materials[1] == a.name);
    if (!both) continue;
    v.sliding = pair.sliding_friction.value_or(v.sliding);
    v.spinning = pair.spinning_friction.value_or(v.spinning);
    v.rolling = pair.rolling_friction.value_or(v.rolling);
    v.restitution = pair.restitution.value_or(v.restitution);
  }
  return v;
}

constexpr int kNeeds[3] = {3, 4, 6};  // condim from which a friction counts

}  // namespace

std::string material_of(const Body& body, const Part& part) {
  if (part.role == PartRole::kVisual) return {};
  return part.material.empty() ? body.material : part.material;
}

std::vector<Part> parts_of(const Body& body) {
  if (const auto* compound = std::get_if<CompoundShape>(&body.shape)) return compound->parts;
  std::vector<Part> parts;
  std::visit(
      [&](const auto& shape) {
        using T = std::decay_t<decltype(shape)>;
        if constexpr (std::is_constructible_v<PartShape, T> && !std::is_same_v<T, PointMassShape>) {
          parts.emplace_back();
          parts.back().shape = shape;
          parts.back().place = body.place;
        }
      },
      body.shape);
  return parts;
}

Surfaces::Surfaces(Export& e) : e_(e) {
  for (const OutLink& out : e.plan.links) {
    for (const Part& part : parts_of(*out.body)) add(material_of(*out.body, part));
  }
  for (const Body* plane : e.plan.planes) add(plane->material);
  find_hidden();
  tell_apart();
  check_pairs();
}

void Surfaces::add(const std::string& name) {
  const Material* m = find_material(e_.flat, name);
  const auto same = [&](const OutSurface& s) { return s.material == name; };
  if (name.empty() || m == nullptr || std::any_of(all_.begin(), all_.end(), same)) return;
  OutSurface s;
  s.material = name;
  s.friction = {m->sliding_friction, m->spinning_friction, m->rolling_friction};
  s.condim = m->rolling_friction > 0    ? 6
             : m->spinning_friction > 0 ? 4
             : m->sliding_friction > 0  ? 3
                                        : 1;
  s.restitution = m->restitution;
  if (s.restitution > 0) s.damping = damping_for(s.restitution, e_.out.inexact);
  if (m->static_friction != m->sliding_friction) {
    e_.warn(m->place, "MuJoCo has one friction: that of sliding is written, not that of sticking",
            name);
  }
  all_.push_back(std::move(s));
}

void Surfaces::find_hidden() {
  for (OutSurface& a : all_) {
    for (const OutSurface& b : all_) {
      const PairValues v = find_pair(e_.flat, *find_material(e_.flat, a.material),
                                     *find_material(e_.flat, b.material));
      const double values[3] = {v.sliding, v.spinning, v.rolling};
      for (size_t k = 0; k < 3; ++k) {
        const bool hidden = a.condim < kNeeds[k] && b.condim >= kNeeds[k];
        if (hidden && values[k] > b.friction[k]) a.friction[k] = std::max(a.friction[k], values[k]);
      }
    }
  }
}

// Classes that would read as one material.
void Surfaces::tell_apart() {
  for (size_t i = 0; i < all_.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const bool same = all_[i].condim == all_[j].condim && all_[i].friction == all_[j].friction &&
                        all_[i].restitution == all_[j].restitution;
      if (same && all_[i].condim < 6) all_[i].friction[2] += static_cast<double>(i) * kTiny;
    }
  }
}

void Surfaces::check_pairs() {
  size_t count = 0;
  std::string first;
  for (size_t i = 0; i < all_.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const OutSurface &a = all_[j], &b = all_[i];
      const PairValues v = find_pair(e_.flat, *find_material(e_.flat, a.material),
                                     *find_material(e_.flat, b.material));
      const double values[3] = {v.sliding, v.spinning, v.rolling};
      const int condim = std::max(a.condim, b.condim);
      bool same = std::fabs(0.5 * (a.restitution + b.restitution) - v.restitution) < 1e-9;
      for (size_t k = 0; k < 3; ++k) {
        const double larger = condim >= kNeeds[k] ? std::max(a.friction[k], b.friction[k]) : 0;
        same = same && std::fabs(larger - values[k]) < 1e-9;
      }
      if (same) continue;
      if (count == 0) first = a.material + " and " + b.material;
      ++count;
    }
  }
  if (count == 0) return;
  e_.warn({},
          "where two materials meet MuJoCo takes the larger friction and the mean bounce, which "
          "is not that of the scene for " +
              std::to_string(count) + (count == 1 ? " pair" : " pairs, the first of them"),
          first);
}

void Surfaces::write(Lines& lines) const {
  if (all_.empty()) return;
  lines.open(Tag("default"));
  for (const OutSurface& s : all_) {
    lines.open(Tag("default").add("class", s.material));
    Tag geom("geom");
    geom.add("condim", std::to_string(s.condim));
    geom.add("friction", words(Vec3{s.friction[0], s.friction[1], s.friction[2]}));
    if (s.restitution > 0) {
      geom.add("solref", format_number(-kStiffness) + " " +
                             (s.damping > 0 ? format_number(-s.damping) : "-0"));
    }
    lines.add(geom);
    lines.close();
  }
  lines.close();
}

}  // namespace tenon::scene::mjcf
