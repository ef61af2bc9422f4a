// What a kind of joint holds and what it leaves free. One function per kind, one file each.
#pragma once

#include <initializer_list>

#include "tenon/engine/base/assert.h"
#include "tenon/engine/joints/joint_model.h"

namespace tenon::detail {

struct KindRows {
  bool has_point = false;  // C's origin stays at P's: three rows of their own
  uint8_t free_axes = 0;   // bit k: JointAxis k is a freedom
  uint8_t held_count = 0;  // of `held`, without the point
  std::array<RowSpec, kMaxRows> held{};
};

inline void hold_row(KindRows& rows, const RowSpec& row) {
  TENON_ASSERT(rows.held_count + (rows.has_point ? 3 : 0) < kMaxRows);
  rows.held[rows.held_count++] = row;
}
inline void hold_slide(KindRows& rows, JointAxis axis) {
  hold_row(rows, {.form = RowForm::kSlide, .i = static_cast<uint8_t>(axis)});
}
// P_i . C_j = 0
inline void hold_dot(KindRows& rows, int i, int j) {
  hold_row(rows,
           {.form = RowForm::kDot, .i = static_cast<uint8_t>(i), .j = static_cast<uint8_t>(j)});
}
inline void set_free(KindRows& rows, std::initializer_list<JointAxis> axes) {
  for (const JointAxis a : axes) rows.free_axes |= static_cast<uint8_t>(1 << static_cast<int>(a));
}

// C's x axis stays along P's: y_P . x_C = z_P . x_C = 0. At x_C = x_P the gradients are z and -y.
void hold_axis(KindRows& rows);
// C's axes stay along P's: hold_axis and y_P . z_C = 0, whose gradient at rest is -x. The third
// must not be y_P . y_C or the like, whose gradient vanishes at rest.
void hold_rotation(KindRows& rows);

KindRows make_point();
KindRows make_hinge();
KindRows make_twist();
KindRows make_rigid();
KindRows make_slider();
KindRows make_slider2();
KindRows make_slider3();
KindRows make_planar_twist();
KindRows make_cylindrical();
KindRows make_universal();
KindRows make_ball_in_tube();
KindRows make_point_on_plane();
// A rod of def.length (0: `distance`, how far apart the origins are), or a free distance where
// something acts along x.
KindRows make_distance(const JointDef& def, double distance);
KindRows make_screw(const JointDef& def);
KindRows make_six_axis(const JointDef& def);
KindRows make_black_box(const JointDef& def);

// What is free in a joint of this definition, without knowing the bodies.
KindRows make_kind(const JointDef& def, double distance);

}  // namespace tenon::detail
