#include <algorithm>

#include "tenon/recording/compare.h"
#include "tenon/recording/detail/text.h"

namespace tenon {
namespace {

using recording_detail::counted;
using recording_detail::number;

std::string short_number(double value) { return recording_detail::short_number(value, 3); }

std::string missing(uint64_t count, const std::optional<uint64_t>& first, const char* where) {
  if (count == 0) return {};
  return counted(count, "frame") + " only in " + where + ", the first at step " +
         std::to_string(*first) + "\n";
}

std::string verdict(const RecordingComparison& c) {
  if (c.common_frames == 0) return "no common frames\n";
  const bool nothing_common = c.bodies.empty() && !c.same_bodies;
  if (c.same_bits() && !nothing_common)
    return "equal in every bit over " + counted(c.common_frames, "common frame") + "\n";
  std::string text;
  if (nothing_common) {
    text += "no body in common: there are no poses and velocities to compare in " +
            counted(c.common_frames, "common frame") + "\n";
  } else if (c.first_divergent_step) {
    text += "first difference at step " + std::to_string(*c.first_divergent_step) + " (" +
            number(c.first_divergent_time) + " s)";
    text += c.first_divergent_body.empty() ? ", in time" : ", body " + c.first_divergent_body;
    text += ", of " + counted(c.common_frames, "common frame") + "\n";
  } else {
    text += "poses and velocities are equal in every bit over " +
            counted(c.common_frames, "common frame") + "\n";
  }
  const auto line = [&](const char* what, const std::optional<uint64_t>& step) {
    if (step) text += std::string(what) + " differ from step " + std::to_string(*step) + " on\n";
  };
  if (nothing_common) line("times", c.first_divergent_step);
  line("state hashes", c.first_hash_divergence);
  line("diagnostics", c.first_diagnostics_divergence);
  line("events", c.first_events_divergence);
  return text;
}

}  // namespace

std::string format(const RecordingComparison& c, size_t max_bodies) {
  std::string text;
  for (const auto& description : c.descriptions) text += description + "\n";
  text += verdict(c);
  text += missing(c.only_in_a, c.first_only_in_a, "the first recording");
  text += missing(c.only_in_b, c.first_only_in_b, "the second recording");
  // worst first; equal ones stay in their order
  std::vector<const BodyDifference*> worst;
  for (const auto& body : c.bodies)
    if (body.first_step) worst.push_back(&body);
  // ties in the order of bodies; they all live in one array
  std::sort(worst.begin(), worst.end(), [](const auto* a, const auto* b) {
    return a->position_m != b->position_m ? a->position_m > b->position_m : a < b;
  });
  if (worst.empty()) return text;
  text += "largest differences (each with its step):\n";
  for (size_t i = 0; i < worst.size() && i < max_bodies; ++i) {
    const BodyDifference& d = *worst[i];
    const auto at = [](uint64_t step) { return " @" + std::to_string(step); };
    text += "  " + d.name + ": position " + short_number(d.position_m) + " m" +
            at(d.position_step) + ", angle " + short_number(d.angle_rad) + " rad" +
            at(d.angle_step) + ", velocity " + short_number(d.velocity_m_s) + " m/s" +
            at(d.velocity_step) + ", angular velocity " + short_number(d.angular_velocity_rad_s) +
            " rad/s" + at(d.angular_velocity_step) + "\n";
  }
  if (worst.size() > max_bodies)
    text += "  and " + counted(worst.size() - max_bodies, "other body") + "\n";
  return text;
}

}  // namespace tenon
