// What the mechanisms of a scene can do, in words.
#pragma once

#include <string>

#include "tenon/scene/build/build.h"

namespace tenon::cli {

struct MobilityText {
  std::string text;            // several lines, ending in a newline
  bool holds_together = true;  // false: joints contradict each other or something is out of reach
};
MobilityText describe_mobility(const scene::BuiltScene& built);

}  // namespace tenon::cli
