#include "tenon/engine/world/drives.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/geometry/support.h"

namespace tenon {
namespace {

bool drives(const JointAxisDef& axis) {
  return axis.stiffness > 0 || axis.motor.kind != Motor::Kind::kNone;
}

bool is_slide(const RowSpec& row) {
  return row.form == RowForm::kSlide || row.form == RowForm::kDistance;
}

double calc_acceleration(const BodyMass& mass, double force, bool slides) {
  if (slides) return force * mass.inv_mass;
  const double least = std::min({mass.moments.x, mass.moments.y, mass.moments.z});
  return least > 0 ? force / least : 0;
}

}  // namespace

bool is_driven(const JointModel& model) {
  return std::any_of(model.axes.begin(), model.axes.end(), drives);
}

std::vector<Drive> find_drives(const WorldData& data) {
  std::vector<Drive> found;
  for (uint32_t slot = 0; slot < data.joint_models.size(); ++slot) {
    const JointModel& model = data.joint_models[slot];
    if (!data.joint_slots.live(slot) || !is_driven(model)) continue;
    if (model.kind == JointKind::kBlackBox) continue;
    if (found.empty()) found.resize(data.info.size());
    for (size_t k = 0; k < model.row_count; ++k) {
      const RowSpec& row = model.rows[k];
      if (!model.scalar_row(static_cast<int>(k)) || row.axis == kHeldRow) continue;
      if (!drives(model.axes[row.axis])) continue;
      const double force = std::fabs(data.joint_states[slot].lambda[k]);
      for (const uint32_t body : {model.pairs[0].parent, model.pairs[0].child}) {
        if (body == kWorldBody) continue;
        double& sum = is_slide(row) ? found[body].linear : found[body].angular;
        sum += calc_acceleration(data.mass[body], force, is_slide(row));
      }
    }
  }
  return found;
}

double calc_drive_reach(const WorldData& data, std::span<const Drive> drives, const Collider& c) {
  constexpr double kMostOfSize = 0.5;
  // meshes find their patches within what they see, and have steps in parts of their own
  if (drives.empty() || kind(c.shape) == ShapeKind::kMesh) return 0;
  const double h = data.coming_step(c.body), lever = norm(c.X_CS.p) + bounding_radius(c.shape);
  const Drive& d = drives[c.body];
  const double reach = h * h * (d.linear + d.angular * lever);
  return std::isfinite(reach) ? std::min(reach, kMostOfSize * c.size) : 0;
}

}  // namespace tenon
