#include "tenon/scene/forms/rows.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/math/elementary.h"

namespace tenon::scene {
namespace {

// Triangles between two rings that start at vertices a and b, or between a ring and a point.
void stitch(Surface& surface, int a, size_t a_count, int b, size_t b_count) {
  const int n = static_cast<int>(std::max(a_count, b_count));
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    if (a_count == 1) {
      surface.triangles.push_back({a, b + j, b + i});
    } else if (b_count == 1) {
      surface.triangles.push_back({a + i, a + j, b});
    } else {
      surface.triangles.push_back({a + i, a + j, b + j});
      surface.triangles.push_back({a + i, b + j, b + i});
    }
  }
}

}  // namespace

Surface stitch_rows(const std::vector<Row>& rows, Ends ends) {
  Surface surface;
  std::vector<int> first;
  for (const Row& row : rows) {
    first.push_back(static_cast<int>(surface.vertices.size()));
    surface.vertices.insert(surface.vertices.end(), row.begin(), row.end());
  }
  for (size_t i = 0; i + 1 < rows.size(); ++i) {
    stitch(surface, first[i], rows[i].size(), first[i + 1], rows[i + 1].size());
  }
  if (ends == Ends::kJoined) {
    stitch(surface, first.back(), rows.back().size(), first[0], rows[0].size());
  }
  return surface;
}

// The section stands on the tangent t: its axes are the normal in the plane, n = z x t, and z, and
// t x n = z, so the angle from n to z runs counter-clockwise about t.
Surface make_bar(const std::vector<Station>& stations, int around, Ends ends) {
  std::vector<Row> rows;
  for (const Station& s : stations) {
    Row row;
    const int count = s.radius > 0 ? around : 1;
    for (int i = 0; i < count; ++i) {
      const double angle = 2 * kPi * i / around;
      const double u = s.radius * cos(angle), w = s.radius * sin(angle);
      row.push_back({s.x - u * s.ty, s.y + u * s.tx, w});
    }
    rows.push_back(std::move(row));
  }
  return stitch_rows(rows, ends);
}

void add_arc(std::vector<Station>& stations, const ArcPath& arc, int steps, double bar) {
  for (int i = 0; i <= steps; ++i) {
    const double a = arc.from + arc.span * i / steps, c = cos(a), s = sin(a);
    stations.push_back({arc.cx + arc.r * c, arc.cy + arc.r * s, -s, c, bar});
  }
}

int count_pieces(double length, double edge, int least) {
  const double pieces = std::ceil(length / edge * (1 - 1e-12));
  return pieces > least ? static_cast<int>(std::min(pieces, 1e9)) : least;
}

}  // namespace tenon::scene
