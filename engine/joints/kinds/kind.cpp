#include "tenon/engine/joints/kinds/kind.h"

namespace tenon::detail {

void hold_axis(KindRows& rows) {
  hold_dot(rows, 1, 0);
  hold_dot(rows, 2, 0);
}

void hold_rotation(KindRows& rows) {
  hold_axis(rows);
  hold_dot(rows, 1, 2);
}

KindRows make_kind(const JointDef& def, double distance) {
  switch (def.kind) {
    case JointKind::kPoint:
      return make_point();
    case JointKind::kHinge:
      return make_hinge();
    case JointKind::kTwist:
      return make_twist();
    case JointKind::kRigid:
      return make_rigid();
    case JointKind::kSlider:
      return make_slider();
    case JointKind::kSlider2:
      return make_slider2();
    case JointKind::kSlider3:
      return make_slider3();
    case JointKind::kPlanarTwist:
      return make_planar_twist();
    case JointKind::kCylindrical:
      return make_cylindrical();
    case JointKind::kUniversal:
      return make_universal();
    case JointKind::kBallInTube:
      return make_ball_in_tube();
    case JointKind::kPointOnPlane:
      return make_point_on_plane();
    case JointKind::kDistance:
      return make_distance(def, distance);
    case JointKind::kScrew:
      return make_screw(def);
    case JointKind::kSixAxis:
      return make_six_axis(def);
    case JointKind::kBlackBox:
      return make_black_box(def);
    case JointKind::kGear:
      break;  // its rows come from two other joints: compile_gear
  }
  return {};
}

}  // namespace tenon::detail

namespace tenon {

const char* name(JointKind kind) {
  constexpr const char* kNames[kJointKindCount] = {
      "point",    "hinge",        "twist",       "rigid",     "slider",       "slider2",
      "slider3",  "planar twist", "cylindrical", "universal", "ball in tube", "point on plane",
      "distance", "screw",        "gear",        "six-axis",  "black box"};
  const auto k = static_cast<int>(kind);
  return k < kJointKindCount ? kNames[k] : "unknown";
}

const char* name(JointAxis axis) {
  constexpr const char* kNames[kJointAxisCount] = {"x", "y", "z", "rx", "ry", "rz"};
  const auto k = static_cast<int>(axis);
  return k < kJointAxisCount ? kNames[k] : "unknown";
}

RowSpec coordinate_form(const JointModel& model, JointAxis axis) {
  const auto k = static_cast<uint8_t>(axis);
  RowSpec row{.axis = k};
  const bool universal = model.kind == JointKind::kUniversal;
  switch (axis) {
    case JointAxis::kX:
    case JointAxis::kY:
    case JointAxis::kZ:
      row.form = model.kind == JointKind::kDistance ? RowForm::kDistance : RowForm::kSlide;
      row.i = k;
      break;
    case JointAxis::kRx:
      row.form = universal ? RowForm::kTurnParent : RowForm::kTwist;
      break;
    case JointAxis::kRy:
    case JointAxis::kRz: {
      const JointAxis other = axis == JointAxis::kRy ? JointAxis::kRz : JointAxis::kRy;
      row.form = universal              ? RowForm::kTurnChild
                 : model.is_free(other) ? RowForm::kTilt
                                        : RowForm::kTurnParent;
      row.i = static_cast<uint8_t>(k - 3);
      break;
    }
  }
  return row;
}

}  // namespace tenon
