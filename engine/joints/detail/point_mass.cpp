#include "tenon/engine/joints/detail/point_mass.h"

#include <algorithm>
#include <string>

#include "tenon/engine/joints/detail/text.h"

namespace tenon::detail {
namespace {

constexpr const char* kAccepted =
    "a body with inertia; or, at the mass centre of the point mass, joints that hold no rotation "
    "(point, distance, and ball in tube or point on plane of the other body)";

bool is_rotation(const RowSpec& row) {
  return row.ratio != 0 || (row.form != RowForm::kSlide && row.form != RowForm::kDistance);
}

Error refuse(const JointDef& def, const char* side, const std::string& what,
             const std::string& value) {
  return {.message = std::string("the ") + side + " body is a point mass, which cannot turn: " +
                     what + " (" + name(def.kind) + " joint)",
          .value = value,
          .accepted = kAccepted};
}

std::string row_text(const RowSpec& row) {
  if (row.axis < kJointAxisCount) return name(static_cast<JointAxis>(row.axis));
  if (row.axis == kSwingAxis) return "swing_max";
  return "held rotations";
}

// One of the two bodies. `still`: the other one never turns.
Status check_side(const JointDef& def, const JointModel& model, const char* side, const Vec3& lever,
                  bool is_parent, bool still) {
  if (norm(lever) > 0) {
    return refuse(def, side, "the joint must be at its mass centre",
                  number_text(norm(lever)) + " m away");
  }
  for (int k = model.has_point ? 3 : 0; k < model.row_count; ++k) {
    const RowSpec& row = model.rows[static_cast<size_t>(k)];
    if (is_rotation(row)) {
      return refuse(def, side, "the joint would hold or drive its rotation", row_text(row));
    }
    if (is_parent && !still && row.form == RowForm::kSlide) {
      return refuse(def, side, "the joint's axes must be on the other body", "axes on the parent");
    }
  }
  return Ok{};
}

void drop_held_rotations(JointModel& model) {
  const auto begin = model.rows.begin() + (model.has_point ? 3 : 0);
  const auto end = model.rows.begin() + model.row_count;
  const auto kept = std::remove_if(begin, end, [](const RowSpec& row) {
    return row.axis == kHeldRow && row.ratio == 0 && row.form != RowForm::kBlackBox &&
           is_rotation(row);
  });
  model.row_count = static_cast<uint8_t>(kept - model.rows.begin());
}

}  // namespace

Status fit_to_point_masses(const JointDef& def, const CompileContext& context, JointModel& model) {
  const bool world = !def.parent.valid();
  const JointBody &p = context.parent, &c = context.child;
  const bool parent = !world && p.point_mass, child = c.point_mass;
  if (!parent && !child) return Ok{};
  const bool parent_still = world || p.point_mass || p.is_static;
  const bool child_still = c.point_mass || c.is_static;
  // anchors come from world coordinates: round-off is that of those
  const auto snap = [](Vec3& lever, const JointBody& body) {
    if (norm(lever) <= 1e-9 * (1 + norm(body.X_WB.p) + norm(body.com_B))) lever = {};
  };
  if (parent_still && child_still) drop_held_rotations(model);
  JointPair& pair = model.pairs[0];
  if (parent) {
    snap(pair.rP_B, p);
    if (Status s = check_side(def, model, "parent", pair.rP_B, true, child_still); !s) return s;
  }
  if (child) {
    snap(pair.rC_B, c);
    if (Status s = check_side(def, model, "child", pair.rC_B, false, parent_still); !s) return s;
  }
  return Ok{};
}

}  // namespace tenon::detail
