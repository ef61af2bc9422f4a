// Which freedoms of a link become one joint.
#pragma once

#include <array>
#include <vector>

#include "tenon/scene/model/tree.h"

namespace tenon::scene::model {

struct Segment {
  JointType type = JointType::kHinge;
  size_t begin = 0, count = 1;  // freedoms of the link
  Pose X_LF;                    // frame of the joint in the link's, for q = 0
  struct Axis {
    JointAxis axis = JointAxis::kRx;
    double sign = 1;
  };
  std::array<Axis, 3> axes;  // of its freedoms
};

// All freedoms in order, as few joints as there can be. A free one has no segment.
std::vector<Segment> find_segments(const std::vector<Dof>& dofs);

}  // namespace tenon::scene::model
