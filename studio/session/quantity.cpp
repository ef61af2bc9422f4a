#include "tenon/studio/session/quantity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace tenon::studio {
namespace {

constexpr std::array<const char*, 9> kWorld{"kinetic",     "potential", "energy",
                                            "unexplained", "contacts",  "penetration",
                                            "joint-gap",   "step-ms",   "asleep"};
constexpr std::array<const char*, 11> kBody{"x",  "y",  "z",  "vx",    "vy",  "vz",
                                            "wx", "wy", "wz", "speed", "spin"};
constexpr std::array<const char*, 6> kJoint{"position", "rate", "force", "torque", "gap", "length"};
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

int find_word(std::span<const char* const> words, const std::string& word) {
  const auto found = std::find(words.begin(), words.end(), word);
  return found == words.end() ? -1 : static_cast<int>(found - words.begin());
}

Error refuse(const std::string& text, std::span<const char* const> words) {
  Error error{.message = "unknown quantity", .file = "quantities", .value = text};
  for (const char* word : words)
    error.accepted += (error.accepted.empty() ? "" : ", ") + std::string(word);
  return error;
}

double world_value(const FrameStats& s, int which) {
  const std::array<float, 9> all{s.kinetic_J,     s.potential_J, s.kinetic_J + s.potential_J,
                                 s.drift_J,       s.contacts,    s.penetration_m,
                                 s.joint_gap_rel, s.step_ms,     s.sleeping};
  return static_cast<double>(all[static_cast<size_t>(which)]);
}

double norm(const float* v) {
  const double x = static_cast<double>(v[0]), y = static_cast<double>(v[1]),
               z = static_cast<double>(v[2]);
  return std::sqrt(x * x + y * y + z * z);
}

}  // namespace

Result<Quantity> Quantity::parse(const std::string& text) {
  Quantity q;
  const bool body = text.starts_with("body:"), joint = text.starts_with("joint:");
  if (text.starts_with("distance:")) {
    const size_t bar = text.find('|');
    if (bar == std::string::npos)
      return Error{.message = "a distance is between two bodies",
                   .file = "quantities",
                   .value = text,
                   .accepted = "distance:A|B"};
    q.of_ = Of::kDistance;
    q.name_ = text.substr(9, bar - 9);
    q.other_ = text.substr(bar + 1);
    return q;
  }
  if (!body && !joint) {
    q.which_ = find_word(kWorld, text);
    if (q.which_ < 0) return refuse(text, kWorld);
    return q;
  }
  const size_t colon = text.find(':'), dot = text.rfind('.');
  const std::string word = dot == std::string::npos ? "" : text.substr(dot + 1);
  const std::span<const char* const> words =
      body ? std::span<const char* const>(kBody) : std::span<const char* const>(kJoint);
  q.of_ = body ? Of::kBody : Of::kJoint;
  q.which_ = find_word(words, word);
  if (q.which_ < 0) return refuse(text, words);
  q.name_ = text.substr(colon + 1, dot - colon - 1);
  return q;
}

size_t Quantity::find_body(const Cast& cast, const std::string& name) const {
  return static_cast<size_t>(std::find(cast.names.begin(), cast.names.end(), name) -
                             cast.names.begin());
}

size_t Quantity::find(const Take& take) {
  if (take_ == take.id) return index_;
  take_ = take.id;
  const Cast& cast = take.cast;
  if (of_ == Of::kJoint) {
    const auto& names = cast.joint_names;
    index_ = static_cast<size_t>(std::find(names.begin(), names.end(), name_) - names.begin());
  } else {
    index_ = find_body(cast, name_);
    other_index_ = find_body(cast, other_);
  }
  return index_;
}

double Quantity::at(const Take& take, const Frame& frame) {
  if (of_ == Of::kWorld) return world_value(frame.stats, which_);
  const size_t i = find(take);
  if (of_ == Of::kJoint) {
    if (i >= frame.joints.size()) return kNone;
    const JointStats& j = frame.joints[i];
    // forces belong to steps: where a take begins none has been made
    const bool first = !take.frames.empty() && &frame == take.frames.data();
    if (first && (which_ == 2 || which_ == 3)) return kNone;
    const std::array<float, 6> all{j.position, j.rate, j.force_N, j.torque_Nm, j.gap_m, j.length_m};
    return static_cast<double>(all[static_cast<size_t>(which_)]);
  }
  if (7 * (i + 1) > frame.poses.size() || 6 * (i + 1) > frame.rates.size()) return kNone;
  const float* pose = &frame.poses[7 * i];
  const float* rates = &frame.rates[6 * i];
  if (of_ == Of::kDistance) {
    if (7 * (other_index_ + 1) > frame.poses.size()) return kNone;
    const float* other = &frame.poses[7 * other_index_];
    const std::array<float, 3> d{pose[0] - other[0], pose[1] - other[1], pose[2] - other[2]};
    return norm(d.data());
  }
  if (which_ < 3) return static_cast<double>(pose[which_]);
  if (which_ < 9) return static_cast<double>(rates[which_ - 3]);
  return norm(which_ == 9 ? rates : rates + 3);
}

}  // namespace tenon::studio
