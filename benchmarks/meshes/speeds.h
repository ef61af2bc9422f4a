// How fast bodies are, by their velocities and by their places.
#pragma once

#include <vector>

#include "tenon/scene/build/build.h"

namespace tenon {

// Of the fastest point of all bodies, about; m/s.
struct Speeds {
  double state = 0;   // as the state says
  double places = 0;  // of the way in the last step: what was pushed out of overlaps counts as well
};

class SpeedMeter {
 public:
  explicit SpeedMeter(const scene::BuiltScene& scene);
  Speeds after_step(const scene::BuiltScene& scene);

 private:
  struct Place {
    Vec3 center;
    Quat q;
  };
  static std::vector<Place> find_places(const scene::BuiltScene& scene);
  std::vector<Place> before_;
};

}  // namespace tenon
