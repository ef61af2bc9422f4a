#include "tenon/scene/build/force_method_parts.h"

namespace tenon::scene {

ForceSettings make_force_settings(const ForceMethod& f) {
  ForceSettings to;
  to.accuracy = f.accuracy;
  to.h_min = f.h_min;
  to.h_max = f.h_max;
  to.joints = static_cast<tenon::ForceJoints>(f.joints);
  to.baumgarte_alpha = f.baumgarte_alpha;
  to.baumgarte_beta = f.baumgarte_beta;
  to.soft_frequency_hz = f.soft_frequency;
  to.soft_damping_ratio = f.soft_damping_ratio;
  to.contacts = static_cast<tenon::ForceContacts>(f.contacts);
  to.dt_col = f.dt_col;
  to.v_normal_max = f.v_normal_max;
  to.v_tangent_max = f.v_tangent_max;
  return to;
}

}  // namespace tenon::scene
