#include "tenon/engine/world/event.h"

#include <array>

namespace tenon {
namespace {

// By EventKind.
constexpr std::array<const char*, 15> kEventNames = {"contact_begin",
                                                     "contact_end",
                                                     "body_frozen",
                                                     "joint_broke",
                                                     "joint_made",
                                                     "joint_released",
                                                     "sensor_enter",
                                                     "sensor_leave",
                                                     "body_released",
                                                     "health_minimum_step",
                                                     "health_passed_through",
                                                     "health_deep_overlap",
                                                     "health_repeated_impacts",
                                                     "health_mass_ratio",
                                                     "health_energy"};
static_assert(kEventNames.size() == static_cast<size_t>(EventKind::kHealthEnergy) + 1);

}  // namespace

const char* name(EventKind kind) { return kEventNames[static_cast<size_t>(kind)]; }

std::optional<EventKind> event_kind(std::string_view name) {
  for (size_t i = 0; i < kEventNames.size(); ++i) {
    if (name == kEventNames[i]) return static_cast<EventKind>(i);
  }
  return std::nullopt;
}

}  // namespace tenon
