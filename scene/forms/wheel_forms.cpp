// Gears, sprockets and nuts: outlines with a bore, extruded.
#include <algorithm>
#include <cmath>

#include "tenon/engine/math/elementary.h"
#include "tenon/scene/forms/detail/makers.h"
#include "tenon/scene/forms/outline.h"
#include "tenon/scene/forms/rows.h"

namespace tenon::scene {
namespace {

Point2 polar(double r, double angle) { return {r * cos(angle), r * sin(angle)}; }

Surface extrude_wheel(const std::vector<Point2>& outline, double bore, double depth, double curve,
                      const Edge& edge) {
  std::vector<Point2> points;
  Region region{append_loop(points, outline)};
  if (bore > 0) {
    const int count = count_pieces(2 * kPi * bore, curve, 16);
    region.push_back(append_hole(points, circle_points(bore, count)));
  }
  Surface wheel = extrude(points, region, depth);
  return edge ? split_long_edges(std::move(wheel), *edge) : wheel;
}

double involute(double angle) { return tan(angle) - angle; }

// One flank of a tooth centred on angle 0, from the root outwards: (radius, half-angle).
// Source: [Litvin2004, ch. 10]. With pitch radius r, base radius b = r cos(alpha) and tooth
// thickness s on the pitch circle, the half-angle at radius q is
//   s / (2 r) + inv(alpha) - inv(acos(b / q)),   inv(x) = tan(x) - x
// Below the base circle, where there is no involute, the flank is radial.
std::vector<std::array<double, 2>> calc_flank(const GearForm& form, double step) {
  const double r = form.module * form.teeth / 2, base = r * cos(form.pressure_angle);
  const double tip = r + form.addendum * form.module, root = r - form.dedendum * form.module;
  const double s = kPi * form.module / 2 - form.backlash;
  const double foot = s / (2 * r) + involute(form.pressure_angle);
  std::vector<std::array<double, 2>> flank;
  if (root < base) flank.push_back({root, foot});
  const double from = acos(std::min(1.0, base / std::max(root, base))), to = acos(base / tip);
  const int pieces = count_pieces(tip - std::max(root, base), step, 6);
  for (int i = 0; i <= pieces; ++i) {
    const double angle = from + (to - from) * i / pieces;
    flank.push_back({base / cos(angle), foot - involute(angle)});
  }
  return flank;
}

}  // namespace

Surface make(const GearForm& form) {
  const double step = form.edge.value_or(form.module / 4), pitch = 2 * kPi / form.teeth;
  const auto flank = calc_flank(form, step);
  const double gap = pitch - 2 * flank.front()[1], tip = 2 * flank.back()[1];
  const int gap_pieces = count_pieces(flank.front()[0] * gap, step, 2);
  const int tip_pieces = count_pieces(flank.back()[0] * tip, step, 2);
  std::vector<Point2> outline;
  for (int t = 0; t < form.teeth; ++t) {
    const double middle = pitch * t;
    for (const auto& [radius, half] : flank) outline.push_back(polar(radius, middle - half));
    for (int i = 1; i < tip_pieces; ++i) {
      outline.push_back(
          polar(flank.back()[0], middle + tip * (static_cast<double>(i) / tip_pieces - 0.5)));
    }
    for (size_t i = flank.size(); i-- > 0;) {
      outline.push_back(polar(flank[i][0], middle + flank[i][1]));
    }
    for (int i = 1; i < gap_pieces; ++i) {
      outline.push_back(polar(flank.front()[0], middle + flank.front()[1] + gap * i / gap_pieces));
    }
  }
  return extrude_wheel(outline, form.bore, form.width, step, form.edge);
}

// A pin that leaves its seat turns about the next pin, which still sits: so the flank of a tooth is
// an arc about the pin on its far side, with radius q = pitch - seat. In the frame of a tooth, x
// along the chord from pin to pin with its middle at 0 and y outwards:
//   pins at (+-pitch/2, 0), left flank (pitch/2 - q cos(a), q sin(a)) from a = 0 at the seat
Surface make(const SprocketForm& form) {
  const double step = form.edge.value_or(form.seat / 3), n = form.teeth, q = form.pitch - form.seat;
  const double R = form.pitch / (2 * sin(kPi / n)), chord = R * cos(kPi / n);
  const auto reach = [&](double a) {
    const double x = form.pitch / 2 - q * cos(a), y = chord + q * sin(a);
    return std::sqrt(x * x + y * y);
  };
  // flanks meet in a point at the apex; a tooth ends before
  double low = 0, high = 0.9 * acos(form.pitch / 2 / q);
  for (int i = 0; i < 60 && reach(high) > R + form.tooth; ++i) {
    const double middle = (low + high) / 2;
    (reach(middle) > R + form.tooth ? high : low) = middle;
  }
  const int flank = count_pieces(q * high, step, 4), seat = count_pieces(kPi * form.seat, step, 6);
  std::vector<Point2> outline;
  for (int t = 0; t < form.teeth; ++t) {
    // the seat at angle 2 pi t / n, from the tooth before it round to the one behind
    const double at = 2 * kPi * t / n, span = kPi - 2 * kPi / n;
    const Point2 pin = polar(R, at);
    for (int i = 1; i < seat; ++i) {
      // counter-clockwise about the wheel is clockwise about the pin
      const Point2 d = polar(form.seat, at + kPi + span / 2 - span * i / seat);
      outline.push_back({pin.x + d.x, pin.y + d.y});
    }
    const double up = at + kPi / n;  // outwards at the middle of the tooth
    const auto add = [&](double x, double y) {
      outline.push_back({(chord + y) * cos(up) - x * sin(up), (chord + y) * sin(up) + x * cos(up)});
    };
    for (int i = 0; i <= flank; ++i) {
      const double a = high * i / flank;
      add(form.pitch / 2 - q * cos(a), q * sin(a));
    }
    for (int i = flank; i >= 0; --i) {
      const double a = high * i / flank;
      add(q * cos(a) - form.pitch / 2, q * sin(a));
    }
  }
  return extrude_wheel(outline, form.bore, form.width, step, form.edge);
}

Surface make(const NutForm& form) {
  std::vector<Point2> corners;
  for (int i = 0; i < 6; ++i) corners.push_back(polar(form.across / std::sqrt(3.0), kPi / 3 * i));
  const double step = form.edge.value_or(form.bore / 4);
  return extrude_wheel(corners, form.bore, form.height, step, form.edge);
}

}  // namespace tenon::scene
