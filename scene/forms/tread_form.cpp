// The shoe of a tread, in layers along its pins.
#include <algorithm>

#include "tenon/engine/math/elementary.h"
#include "tenon/scene/forms/detail/makers.h"
#include "tenon/scene/forms/outline.h"
#include "tenon/scene/forms/rows.h"

namespace tenon::scene {
namespace {

// An eye at x = side * pitch/2, tied to the plate along the edge from `low` to `high` (points on
// its end face); its outline ends in half a circle.
Region add_eye(Layers& layers, const TreadForm& form, int side, int low, int high) {
  const double r = form.thickness / 2, step = form.edge.value_or(r / 2), x = side * form.pitch / 2;
  const int pieces = count_pieces(kPi * r, step, 8);
  std::vector<Point2> arc;
  for (int i = 0; i <= pieces; ++i) {
    const double a = -side * kPi / 2 + kPi * i / pieces;
    arc.push_back({x + r * cos(a), r * sin(a)});
  }
  Loop outline{side > 0 ? low : high};
  const Loop round = append_loop(layers.points, arc);
  outline.insert(outline.end(), round.begin(), round.end());
  outline.push_back(side > 0 ? high : low);
  std::vector<Point2> hole = circle_points(form.pin, count_pieces(2 * kPi * form.pin, step, 12));
  for (Point2& p : hole) p.x += x;
  return {outline, append_hole(layers.points, hole)};
}

}  // namespace

Surface make(const TreadForm& form) {
  const double t = form.thickness / 2, clearance = 0.2 * t;
  const double end = form.pitch / 2 - t - clearance;  // of the plate: eyes of neighbours pass it
  const double foot = 0.3 * end, tip = 0.2 * end;     // of grouser and horn
  const int n = form.eyes;
  Layers layers;
  layers.points = {{-end, -t}, {-foot, -t}, {foot, -t}, {end, -t},
                   {end, t},   {foot, t},   {-foot, t}, {-end, t}};
  // layers: a slot for each eye, and gaps between them
  const double slot = form.width / n;
  for (int i = 0; i < n; ++i) {
    const double z = slot * i - form.width / 2;
    layers.levels.push_back(i == 0 ? z : z + clearance / 2);
    layers.levels.push_back(i + 1 == n ? form.width / 2 : z + slot - clearance / 2);
  }
  const size_t count = layers.levels.size() - 1;
  std::vector<bool> everywhere(count, true), front(count), back(count), middle(count);
  for (size_t i = 0; i < count; i += 2) {
    (i / 2 % 2 == 0 ? front : back)[i] = true;
    middle[i] = i / 2 == static_cast<size_t>(n) / 2;
  }
  Loop plate{0, 3, 4, 7};
  if (form.grouser > 0) plate.insert(plate.begin() + 1, {1, 2});
  if (form.horn > 0) plate.insert(plate.end() - 1, {5, 6});
  layers.pieces.push_back({{plate}, everywhere});
  layers.pieces.push_back({add_eye(layers, form, 1, 3, 4), front});
  layers.pieces.push_back({add_eye(layers, form, -1, 0, 7), back});
  if (form.grouser > 0) {
    const double y = -t - form.grouser;
    const Loop below = append_loop(layers.points, {{-tip, y}, {tip, y}});
    layers.pieces.push_back({{{2, 1, below[0], below[1]}}, everywhere});
  }
  if (form.horn > 0) {
    const double y = t + form.horn;
    const Loop above = append_loop(layers.points, {{tip, y}, {-tip, y}});
    layers.pieces.push_back({{{6, 5, above[0], above[1]}}, middle});
  }
  Surface shoe = make_solid(layers);
  return form.edge ? split_long_edges(std::move(shoe), *form.edge) : shoe;
}

}  // namespace tenon::scene
