#include "tenon/render/detail/paths.h"

#include <algorithm>
#include <cmath>

namespace tenon::render {
namespace {

constexpr size_t kSegments = 4;       // of a path in one piece
constexpr size_t kMaxPieces = 20000;  // of all paths; beyond it none is drawn

bool seen(const Canvas& canvas, const Vec3& p_W) {
  if (!is_finite(p_W) || !(to_eye(canvas.view, p_W).z > canvas.view.near)) return false;
  return std::all_of(canvas.grounds.begin(), canvas.grounds.end(), [&](const HalfSpace& ground) {
    return dot(ground.normal_W, p_W) >= ground.offset;
  });
}

// The segment as a solid for the paint order: a capsule of hardly any radius.
void set_solid(Painted& painted, const Vec3& a_W, const Vec3& b_W) {
  const Vec3 d = b_W - a_W;
  const Vec3 y = normalized(d, {0, 1, 0}), x = any_orthogonal(y);
  painted.shape = Capsule{std::max(1e-4 * norm(d), 1e-9), 0.5 * norm(d)};
  painted.X_WS = {Mat3::from_columns(x, y, cross(x, y)), 0.5 * (a_W + b_W)};
}

}  // namespace

void draw_paths(const Canvas& canvas, const Model& model, const Poses& poses, double extent,
                std::vector<Item>& items) {
  const size_t points = poses.path.size();
  std::vector<size_t> moving;
  for (size_t b = 0; points > 1 && b < model.bodies.size(); ++b) {
    double length = 0;
    for (const auto& origins : poses.path)
      length = std::max(length, norm(origins[b] - poses.path.front()[b]));
    if (!model.bodies[b].parts.empty() && length > 0.01 * extent) moving.push_back(b);
  }
  if (moving.size() * (points / kSegments + 1) > kMaxPieces) return;

  for (const size_t b : moving) {
    const scene::Color color = mix(model.bodies[b].parts.front().surface.color, {0, 0, 0}, 0.1);
    for (size_t k = 0; k + 1 < points; k += kSegments) {
      const size_t end = std::min(k + kSegments, points - 1);
      Item item;
      std::vector<Point2> line;
      for (size_t i = k; i <= end && seen(canvas, poses.path[i][b]); ++i)
        line.push_back(project(canvas.view, to_eye(canvas.view, poses.path[i][b])));
      const std::string data = path_data(line, Ends::kOpen);
      if (data.empty()) continue;
      for (const Point2& p : line) {
        extend(item.painted.bounds, {p.x - 1, p.y - 1});
        extend(item.painted.bounds, {p.x + 1, p.y + 1});
      }
      const double age = 1 - static_cast<double>(end) / static_cast<double>(points - 1);
      set_solid(item.painted, poses.path[k][b], poses.path[k + line.size() - 1][b]);
      item.painted.depth = to_eye(canvas.view, item.painted.X_WS.p).z;
      item.painted.body = b;
      item.painted.line = true;
      item.markup = "<path fill=\"none\" stroke=\"" + hex(color) + "\" stroke-opacity=\"" +
                    fixed(0.75 - 0.6 * age, 2) + "\" stroke-width=\"1.3\" d=\"" + data + "\"/>\n";
      items.push_back(std::move(item));
    }
  }
}

}  // namespace tenon::render
