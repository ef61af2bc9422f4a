// What can be plotted: a number of a body, a joint, two bodies or the whole world, at every step.
//   body:NAME.QUANTITY    x y z vx vy vz wx wy wz speed spin
//   joint:NAME.QUANTITY   position rate force torque gap length
//   distance:A|B          between the origins of two bodies
//   kinetic potential energy unexplained contacts penetration joint-gap step-ms asleep
#pragma once

#include <string>

#include "tenon/studio/session/take.h"

namespace tenon::studio {

class Quantity {
 public:
  // Error: a word that is not known, with those that are. Names are not checked: bodies come and
  // go.
  static Result<Quantity> parse(const std::string& text);
  // Not a number where the take has no such body or joint.
  double at(const Take& take, const Frame& frame);

 private:
  enum class Of { kWorld, kBody, kJoint, kDistance };
  size_t find(const Take& take);
  size_t find_body(const Cast& cast, const std::string& name) const;
  Of of_ = Of::kWorld;
  int which_ = 0;
  std::string name_, other_;
  // where they were found last
  int take_ = -1;
  size_t index_ = 0, other_index_ = 0;
};

}  // namespace tenon::studio
