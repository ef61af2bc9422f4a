// Bent round bars: rings, chain links, links of jointed rings.
#include <algorithm>
#include <cmath>

#include "tenon/engine/math/elementary.h"
#include "tenon/scene/forms/detail/makers.h"
#include "tenon/scene/forms/rows.h"

namespace tenon::scene {
namespace {

int pieces_around(double bar, double edge) { return count_pieces(2 * kPi * bar, edge, 6); }

}  // namespace

Surface make(const TorusForm& form) {
  const double edge = form.edge.value_or(form.bar / 2);
  std::vector<Station> stations;
  const int along = count_pieces(2 * kPi * (form.radius + form.bar), edge, 8);
  add_arc(stations, {0, 0, form.radius, 0, 2 * kPi}, along, form.bar);
  stations.pop_back();  // the first again
  return make_bar(stations, pieces_around(form.bar, edge), Ends::kJoined);
}

// Two half circles and, between them, straight sides.
Surface make(const ChainLinkForm& form) {
  const double edge = form.edge.value_or(form.bar / 2), half = form.length / 2;
  const int bend = count_pieces(kPi * (form.radius + form.bar), edge, 6);
  const int side = count_pieces(form.length, edge, 1);
  std::vector<Station> stations;
  add_arc(stations, {half, 0, form.radius, -kPi / 2, kPi}, bend, form.bar);
  for (int i = 1; i < side; ++i) {
    stations.push_back({half - form.length * i / side, form.radius, -1, 0, form.bar});
  }
  add_arc(stations, {-half, 0, form.radius, kPi / 2, kPi}, bend, form.bar);
  for (int i = 1; i < side; ++i) {
    stations.push_back({-half + form.length * i / side, -form.radius, 1, 0, form.bar});
  }
  return make_bar(stations, pieces_around(form.bar, edge), Ends::kJoined);
}

// Along the centre line, s from the centre of a knob of radius k, the radius is
//   sqrt(k^2 - s^2)                out to the pole at s = -k, on a straight piece
//   max(bar, sqrt(k^2 - s^2))      inwards, on the arc; the neck is at s = sqrt(k^2 - bar^2)
Surface make(const LinkForm& form) {
  const double edge = form.edge.value_or(form.bar / 2), R = form.radius, k = form.knob;
  const double half = form.angle / 2, neck = std::sqrt(std::max(0.0, k * k - form.bar * form.bar));
  const int cap = count_pieces(kPi / 2 * k, edge, 3);
  const double neck_angle = asin(neck / k);
  const int to_neck = neck > 0 ? count_pieces(k * neck_angle, edge, 1) : 0;
  const double waist = form.angle * R - 2 * neck;
  const int along = count_pieces(waist * (R + form.bar) / R, edge, 1);
  // half of it, from the pole at the low end to the middle, as (s, radius)
  std::vector<std::array<double, 2>> profile;
  for (int i = 0; i < cap; ++i) {
    const double a = kPi / 2 * (1 - static_cast<double>(i) / cap);
    profile.push_back({-k * sin(a), i == 0 ? 0 : k * cos(a)});
  }
  for (int i = 0; i < to_neck; ++i) {
    const double a = neck_angle * i / to_neck;
    profile.push_back({k * sin(a), k * cos(a)});
  }
  std::vector<Station> stations;
  const auto add = [&](double s, double radius) {  // s from the low knob
    const double length = form.angle * R, on = std::clamp(s, 0.0, length), off = s - on;
    const double a = on / R - half, tx = -sin(a), ty = cos(a);
    stations.push_back({R * cos(a) - R + off * tx, R * sin(a) + off * ty, tx, ty, radius});
  };
  for (const auto& [s, radius] : profile) add(s, radius);
  for (int i = 0; i <= along; ++i) add(neck + waist * i / along, form.bar);
  for (size_t i = profile.size(); i-- > 0;) add(form.angle * R - profile[i][0], profile[i][1]);
  return make_bar(stations, pieces_around(k, edge), Ends::kClosed);
}

}  // namespace tenon::scene
