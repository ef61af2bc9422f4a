// Springs and dampers in a run's report: how fast each would swing, and how much it is damped.
#include <algorithm>
#include <cmath>

#include "tenon/cli/line.h"
#include "tenon/cli/report.h"
#include "tenon/cli/scene_source.h"

namespace tenon::cli {
namespace {

constexpr size_t kListed = 12;           // more are summed up
constexpr size_t kMostInJson = 10000;    // of a net of springs
constexpr double kCoarse = 1.0 / 6.283;  // periods per step: one radian, hardly seen as a swing

}  // namespace

void RunReport::begin_springs(const scene::BuiltScene& built) {
  for (size_t i = 0; i < built.joint_handles.size(); ++i) {
    const Vibration v = built.world.calc_vibration(built.joint_handles[i]);
    if (v.has_spring || v.has_damper) springs_.push_back({built.joint_names[i], v});
  }
}

scene::Json RunReport::springs_to_json() const {
  using scene::Json;
  Json list = Json::array();
  for (size_t i = 0; i < std::min(springs_.size(), kMostInJson); ++i) {
    const auto& [name, v] = springs_[i];
    Json entry = Json::object();
    entry.set("joint", name).set("mass", v.mass).set("frequency_hz", v.frequency_hz);
    // a damper alone has none
    if (v.has_spring) entry.set("damping_ratio", v.damping_ratio);
    list.push(std::move(entry));
  }
  return list;
}

std::string RunReport::springs_to_text() const {
  if (springs_.empty()) return {};
  std::string text =
      line("  springs   %s",
           counted(springs_.size(), "spring or damper", "springs and dampers").c_str());
  if (springs_.size() > kListed) {
    double low = kInfinity, high = 0, least = kInfinity, most = 0;
    for (const auto& [name, v] : springs_) {
      if (!v.has_spring) continue;
      low = std::min(low, v.frequency_hz);
      high = std::max(high, v.frequency_hz);
      least = std::min(least, v.damping_ratio);
      most = std::max(most, v.damping_ratio);
    }
    if (high > 0) {
      text += line(", natural frequencies %.4g to %.4g Hz, damping ratios %.3g to %.3g", low, high,
                   least, most);
    }
    return text + "\n";
  }
  text += ": natural frequency and damping ratio of its two bodies alone\n";
  for (const auto& [name, v] : springs_) {
    text += v.has_spring ? line("            %-18s %.4g Hz, %.3g\n", name.c_str(), v.frequency_hz,
                                v.damping_ratio)
                         : line("            %-18s only damps\n", name.c_str());
  }
  return text;
}

void RunReport::add_spring_hints(std::vector<std::string>& hints) const {
  const SpringEntry* fastest = nullptr;
  size_t count = 0;
  for (const SpringEntry& s : springs_) {
    if (!(s.vibration.frequency_hz * step_s_ > kCoarse)) continue;
    ++count;
    if (!fastest || s.vibration.frequency_hz > fastest->vibration.frequency_hz) fastest = &s;
  }
  if (!fastest || method_ == "force") return;  // whose own steps are as short as it takes
  hints.push_back(
      line("%s faster than the step can show, \"%s\" at %.4g Hz: loads and lengths at rest are "
           "right, the swinging itself is not. A smaller step shows it.",
           counted(count, "spring swings", "springs swing").c_str(), fastest->name.c_str(),
           fastest->vibration.frequency_hz));
}

}  // namespace tenon::cli
