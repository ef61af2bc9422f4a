// Letters: strokes of a round pen. Their outlines are where the distance from the strokes is half
// the pen, found by marching squares and moved onto that curve; then what lies on a line is merged.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tenon/engine/math/elementary.h"
#include "tenon/scene/forms/detail/makers.h"
#include "tenon/scene/forms/detail/strokes.h"
#include "tenon/scene/forms/outline.h"

namespace tenon::scene {
namespace {

struct Nearest {
  double distance;
  Point2 away;  // unit, from the nearest point of the strokes
};

// The strokes of a letter in metres, about the middle of their box.
class Drawing {
 public:
  explicit Drawing(const LetterForm& form) : pen_(form.pen / 2) {
    const double unit = (form.height - form.pen) / kStrokeHeight;
    strokes_ = letter_strokes(form.letter[0]);
    const double width = stroke_width(strokes_);
    for (Stroke& s : strokes_) {
      s.x0 = unit * (s.x0 - width / 2), s.y0 = unit * (s.y0 - kStrokeHeight / 2);
      s.x1 = s.arc ? unit * s.x1 : unit * (s.x1 - width / 2);
      if (!s.arc) s.y1 = unit * (s.y1 - kStrokeHeight / 2);
    }
    half_ = {unit * width / 2 + pen_, form.height / 2};
  }
  const Point2& half() const { return half_; }  // of the box around the letter

  // Distance from the outline: below 0 inside.
  double value(const Point2& p) const { return nearest(p).distance - pen_; }
  // Moved onto the outline. Across corners between strokes the distance is not smooth, and the
  // steps end on one of the two curves.
  Point2 on_outline(Point2 p) const {
    for (int i = 0; i < 4; ++i) {
      const Nearest n = nearest(p);
      p.x -= (n.distance - pen_) * n.away.x;
      p.y -= (n.distance - pen_) * n.away.y;
    }
    return p;
  }

 private:
  std::vector<Stroke> strokes_;
  double pen_;
  Point2 half_;

  static Point2 nearest_point(const Stroke& s, const Point2& p) {
    if (!s.arc) {
      const double dx = s.x1 - s.x0, dy = s.y1 - s.y0;
      const double t = ((p.x - s.x0) * dx + (p.y - s.y0) * dy) / (dx * dx + dy * dy);
      const double c = std::clamp(t, 0.0, 1.0);
      return {s.x0 + c * dx, s.y0 + c * dy};
    }
    // the angle from the middle of the arc, within half its span
    const double middle = (s.from + s.to) / 2, half = (s.to - s.from) / 2;
    const double angle = atan2(p.y - s.y0, p.x - s.x0) - middle;
    const double turn = angle - 2 * kPi * std::floor(angle / (2 * kPi) + 0.5);
    const double a = middle + std::clamp(turn, -half, half);
    return {s.x0 + s.x1 * cos(a), s.y0 + s.x1 * sin(a)};
  }
  Nearest nearest(const Point2& p) const {
    Nearest best{std::numeric_limits<double>::infinity(), {1, 0}};
    for (const Stroke& s : strokes_) {
      const Point2 c = nearest_point(s, p);
      const double dx = p.x - c.x, dy = p.y - c.y, d = std::sqrt(dx * dx + dy * dy);
      if (d < best.distance) best = {d, d > 0 ? Point2{dx / d, dy / d} : Point2{1, 0}};
    }
    return best;
  }
};

// Marching squares on triangles: every square is cut along its diagonal, so no case is ambiguous.
// Directed pieces of the outline, inside to the left, as keys of grid edges; a key is the lower
// corner times 3 plus the direction (x, y, diagonal).
class OutlineFinder {
 public:
  OutlineFinder(const Drawing& drawing, double cell) : drawing_(drawing), cell_(cell) {
    nx_ = static_cast<int>(std::ceil(2 * drawing.half().x / cell)) + 3;
    ny_ = static_cast<int>(std::ceil(2 * drawing.half().y / cell)) + 3;
    for (int j = 0; j < ny_; ++j) {
      for (int i = 0; i < nx_; ++i) values_.push_back(drawing.value(corner(i, j)));
    }
    next_.assign(3 * values_.size(), -1);
    for (int j = 0; j + 1 < ny_; ++j) {
      for (int i = 0; i + 1 < nx_; ++i) {
        const int a = j * nx_ + i;
        march({a, a + 1, a + nx_ + 1});
        march({a, a + nx_ + 1, a + nx_});
      }
    }
  }

  std::vector<std::vector<Point2>> run() {
    std::vector<std::vector<Point2>> loops;
    for (size_t start = 0; start < next_.size(); ++start) {
      if (next_[start] < 0) continue;
      std::vector<Point2> loop;
      for (int at = static_cast<int>(start); next_[static_cast<size_t>(at)] >= 0;) {
        loop.push_back(crossing(at));
        at = std::exchange(next_[static_cast<size_t>(at)], -1);
      }
      loops.push_back(std::move(loop));
    }
    return loops;
  }

 private:
  const Drawing& drawing_;
  double cell_;
  int nx_ = 0, ny_ = 0;
  std::vector<double> values_;
  std::vector<int> next_;

  Point2 corner(int i, int j) const {
    return {(i - 0.5 * (nx_ - 1)) * cell_, (j - 0.5 * (ny_ - 1)) * cell_};
  }
  bool inside(int corner) const { return values_[static_cast<size_t>(corner)] < 0; }
  int key(int a, int b) const {
    const int low = std::min(a, b), step = std::max(a, b) - low;
    return 3 * low + (step == 1 ? 0 : step == nx_ ? 1 : 2);
  }
  // A triangle, counter-clockwise. Its one odd corner o is between edges to the corners after and
  // before it; if it is inside, the outline passes it on its left.
  void march(const std::array<int, 3>& t) {
    const int count = inside(t[0]) + inside(t[1]) + inside(t[2]);
    if (count == 0 || count == 3) return;
    size_t o = 0;
    while (inside(t[o]) != (count == 1)) ++o;
    const int after = key(t[o], t[(o + 1) % 3]), before = key(t[o], t[(o + 2) % 3]);
    if (count == 1) next_[static_cast<size_t>(after)] = before;
    if (count == 2) next_[static_cast<size_t>(before)] = after;
  }
  Point2 crossing(int key) const {
    const int a = key / 3, step = key % 3 == 0 ? 1 : key % 3 == 1 ? nx_ : nx_ + 1, b = a + step;
    const double va = values_[static_cast<size_t>(a)], vb = values_[static_cast<size_t>(b)];
    const Point2 p = corner(a % nx_, a / nx_), q = corner(b % nx_, b / nx_);
    const double s = va / (va - vb);
    return drawing_.on_outline({p.x + s * (q.x - p.x), p.y + s * (q.y - p.y)});
  }
};

// Leaves out points that lie within `tolerance` of the line between those that stay.
std::vector<Point2> merge_straight(const std::vector<Point2>& loop, double tolerance) {
  const size_t n = loop.size();
  std::vector<Point2> kept;
  size_t from = 0;
  while (from < n) {
    kept.push_back(loop[from]);
    size_t to = from + 1;
    const auto straight = [&](size_t end) {
      const Point2 a = loop[from], b = loop[end % n];
      const double length = std::sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
      for (size_t i = from + 1; i < end; ++i) {
        if (std::fabs(turn(a, b, loop[i])) > tolerance * length) return false;
      }
      return true;
    };
    while (to < n && straight(to + 1)) ++to;
    from = to;
  }
  return kept;
}

double calc_area(const std::vector<Point2>& loop) {
  double twice = 0;
  for (size_t i = 0; i < loop.size(); ++i) {
    const Point2 &a = loop[i], &b = loop[(i + 1) % loop.size()];
    twice += a.x * b.y - a.y * b.x;
  }
  return twice / 2;
}

}  // namespace

Surface make(const LetterForm& form) {
  const Drawing drawing(form);
  const double edge = form.edge.value_or(form.pen / 3), cell = std::min(edge, form.pen / 3) / 1.5;
  std::vector<Point2> points;
  Region region(1);
  for (const std::vector<Point2>& loop : OutlineFinder(drawing, cell).run()) {
    // counters too small to be seen by the grid are filled
    const std::vector<Point2> merged = merge_straight(loop, 2e-3 * form.pen);
    const double area = calc_area(merged);
    if (merged.size() < 3 || std::fabs(area) < 2 * cell * cell) continue;
    const Loop indices = append_loop(points, merged);
    if (area > 0) {
      region[0] = indices;
    } else {
      region.push_back(indices);
    }
  }
  Surface letter = extrude(points, region, form.depth);
  return form.edge ? split_long_edges(std::move(letter), *form.edge) : letter;
}

}  // namespace tenon::scene
