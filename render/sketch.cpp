#include "tenon/render/sketch.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/geometry/support.h"
#include "tenon/render/detail/cameras.h"
#include "tenon/render/detail/ground.h"
#include "tenon/render/detail/model.h"
#include "tenon/render/detail/paths.h"
#include "tenon/render/detail/poses.h"
#include "tenon/scene/formats/did_you_mean.h"

namespace tenon::render {
namespace {

constexpr int kMinSize = 16, kMaxSize = 16384, kMaxStrobe = 100;
constexpr size_t kMaxShadows = 6000;
const Vec3 kQuarterView{-0.55, -0.42, -1};  // direction of sight of the automatic camera

Status check(const SketchOptions& options) {
  for (const int size : {options.width, options.height})
    if (size < kMinSize || size > kMaxSize)
      return Error{.message = "the picture cannot have this size",
                   .value = std::to_string(options.width) + "x" + std::to_string(options.height),
                   .accepted = "16x16 to 16384x16384 pixels"};
  if (options.strobe < 1 || options.strobe > kMaxStrobe)
    return Error{.message = "the picture cannot have this number of poses",
                 .value = std::to_string(options.strobe),
                 .accepted = "1 to 100"};
  if ((options.at_s && !std::isfinite(*options.at_s)) || std::isnan(options.from_s) ||
      std::isnan(options.to_s))
    return Error{.message = "the time of the picture is no number"};
  return Ok{};
}

// The camera to use; nullopt for the automatic one.
Result<std::optional<scene::Camera>> find_camera(const scene::Document& document,
                                                 const std::string& name, const std::string& file) {
  using Found = std::optional<scene::Camera>;
  std::vector<std::string> names;
  for (const scene::Camera& camera : document.cameras) {
    names.push_back(camera.name);
    if (name.empty() || camera.name == name) return camera.automatic ? Found() : Found(camera);
  }
  if (name.empty() || name == "auto") return Found();
  std::string accepted;
  for (const std::string& known : names) accepted += (accepted.empty() ? "" : ", ") + known;
  return Error{
      .message = "the scene has no camera of this name" + scene::did_you_mean(name, names),
      .file = file,
      .value = name,
      .accepted = names.empty() ? "auto; the scene lists no cameras" : accepted + ", auto"};
}

// A camera that moves or looks at a body, as one that stands where it is at this time.
Status stop_camera(RecordingReader& reader, const scene::Document& document, double t,
                   scene::Camera& camera) {
  if (camera.type == scene::CameraType::kFixed && camera.body.name.empty()) return Ok{};
  const Result<RecordedFrame> first = reader.read_frame(0);
  if (!first) return first.error();
  const Result<BodyTracks> tracks = BodyTracks::read(reader, document, first->time, t);
  if (!tracks) return tracks.error();
  const StageCamera placed = place_camera(camera, *tracks, t, first->time);
  camera.position = placed.p_WE;
  camera.look_at = placed.p_WE + placed.focus_m * placed.forward_W;
  camera.up = placed.up_W;
  camera.fov = placed.fov_rad;
  return Ok{};
}

bool same_pose(const Pose& a, const Pose& b, double extent) {
  return norm(a.p - b.p) < 1e-4 * extent && std::fabs(dot(a.q, b.q)) > 1 - 1e-7;
}

class Picture {
 public:
  Picture(const scene::Document& document, const Model& model, const Poses& poses,
          const SketchOptions& options)
      : model_(model),
        poses_(poses),
        options_(options),
        title_(document.title),
        canvas_{View{}, Lighting(document), Gradients(View{}), {}} {
    find_grounds();
    find_balls();
  }

  std::string draw(const std::optional<scene::Camera>& camera) {
    canvas_.view = camera ? make_view(*camera, options_.width, options_.height)
                          : frame_balls(balls_, kQuarterView, options_.width, options_.height);
    canvas_.gradients = Gradients(canvas_.view);
    // a ground seen from below hides nothing and is not drawn
    std::erase_if(planes_, [&](const Plane& plane) {
      return dot(plane.space.normal_W, canvas_.view.p_WE) <= plane.space.offset;
    });
    for (const Plane& plane : planes_) canvas_.grounds.push_back(plane.space);
    const std::string ground = draw_grounds();
    const std::string solids = draw_solids();
    return head() + ground +
           "<g fill=\"currentColor\" stroke=\"currentColor\" stroke-width=\".5\" "
           "stroke-linejoin=\"round\">\n" +
           solids + "</g>\n" + caption() + "</svg>\n";
  }

 private:
  struct Plane {
    HalfSpace space;
    GroundPatch patch;
  };

  bool last(size_t k) const { return k + 1 == poses_.frames.size(); }
  const Pose& pose(size_t k, size_t body) const { return poses_.frames[k].bodies[body].X_WB; }

  // Earlier poses of bodies that have not moved since are not drawn again.
  bool drawn(size_t k, size_t body) const {
    if (!drawable(pose(k, body))) return false;
    return last(k) || !same_pose(pose(k, body), pose(poses_.frames.size() - 1, body), extent_);
  }

  double ghost_opacity(size_t k) const {
    if (last(k)) return 1;
    const double age = static_cast<double>(k + 1) / static_cast<double>(poses_.frames.size());
    return 0.1 + 0.5 * age * age;
  }

  void find_grounds() {
    const size_t main = poses_.frames.size() - 1;
    for (size_t b = 0; b < model_.bodies.size(); ++b) {
      if (!drawable(pose(main, b))) continue;
      for (const ModelPart& part : model_.bodies[b].planes) {
        const Pose X_WP = pose(main, b) * part.X_BP;
        const Transform X = to_transform({X_WP.p, normalized(X_WP.q)});
        const Vec3 n = X.R * Vec3{0, 1, 0};
        planes_.push_back({{n, dot(n, X.p)}, {X, part.surface, {}, 1}});
      }
    }
  }

  // Balls around all parts above the grounds, their box, and from it the ground to draw.
  void find_balls() {
    Aabb box{{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
    for (size_t k = 0; k < poses_.frames.size(); ++k) {
      for (size_t b = 0; b < model_.bodies.size(); ++b) {
        if (!drawable(pose(k, b))) continue;
        for (const ModelPart& part : model_.bodies[b].parts) {
          const double radius = part.marker ? 0 : bounding_radius(part.shape);
          const Ball ball{(pose(k, b) * part.X_BP).p, radius};
          const bool below = std::any_of(planes_.begin(), planes_.end(), [&](const Plane& plane) {
            return dot(plane.space.normal_W, ball.p_WC) + radius <= plane.space.offset;
          });
          if (below) continue;
          balls_.push_back(ball);
          const Vec3 r{radius, radius, radius};
          box = merge(box, {ball.p_WC - r, ball.p_WC + r});
        }
      }
    }
    if (!balls_.empty()) extent_ = std::max(0.5 * norm(box.hi - box.lo), 1e-9);
    const Vec3 middle = balls_.empty() ? Vec3{} : center(box);
    for (Plane& plane : planes_) {
      plane.patch.center_W = middle;
      plane.patch.radius = extent_;
    }
    // a plane alone in its scene
    if (balls_.empty()) balls_.push_back({{}, extent_});
  }

  std::string draw_grounds() {
    std::string text;
    for (Plane& plane : planes_) {
      // not further than the eye makes sense of
      const double height = dot(plane.space.normal_W, canvas_.view.p_WE) - plane.space.offset;
      const double distance = norm(plane.patch.center_W - canvas_.view.p_WE);
      plane.patch.radius = std::min(plane.patch.radius, 20 * std::max(height, distance));
      text += draw_ground(canvas_, plane.patch);
      text += draw_shadows(plane.space);
    }
    return text;
  }

  std::string draw_shadows(const HalfSpace& ground) {
    if (balls_.size() > kMaxShadows) return {};
    std::string text;
    for (size_t k = 0; k < poses_.frames.size(); ++k) {
      std::string data;
      for (size_t b = 0; b < model_.bodies.size(); ++b) {
        if (!drawn(k, b)) continue;
        for (const ModelPart& part : model_.bodies[b].parts)
          data += shadow_data(canvas_, ground, part, pose(k, b));
      }
      if (data.empty()) continue;
      text += "<path fill=\"#10203a\" opacity=\"" + fixed(0.3 * ghost_opacity(k), 3) +
              "\" filter=\"url(#soft)\" d=\"" + data + "\"/>\n";
    }
    return text;
  }

  std::string draw_solids() {
    std::vector<Item> items;
    if (poses_.frames.size() > 1) draw_paths(canvas_, model_, poses_, extent_, items);
    for (size_t k = 0; k < poses_.frames.size(); ++k) {
      for (size_t b = 0; b < model_.bodies.size(); ++b) {
        if (!drawn(k, b)) continue;
        const ModelBody& body = model_.bodies[b];
        std::string attributes = "data-body=\"" + escape(body.name) + "\"";
        if (!last(k)) attributes += " opacity=\"" + fixed(ghost_opacity(k), 2) + "\"";
        for (const ModelPart& part : body.parts) {
          std::optional<Item> item = draw_part(canvas_, part, pose(k, b), attributes);
          if (!item) continue;
          item->painted.body = b;
          item->painted.pose = static_cast<int>(k);
          items.push_back(std::move(*item));
        }
      }
    }
    std::vector<Painted> painted;
    for (Item& item : items) painted.push_back(std::move(item.painted));
    std::string text;
    for (const size_t i : find_paint_order(painted, canvas_.view)) text += items[i].markup;
    return text;
  }

  std::string time_text() const {
    const double from = poses_.frames.front().time, to = poses_.frames.back().time;
    if (poses_.frames.size() == 1) return "t = " + fixed(to, 3) + " s";
    return std::to_string(poses_.frames.size()) + " poses, t = " + fixed(from, 3) + " to " +
           fixed(to, 3) + " s";
  }

  std::string head() const {
    const std::string w = std::to_string(options_.width), h = std::to_string(options_.height);
    std::string text = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + w + "\" height=\"" +
                       h + "\" viewBox=\"0 0 " + w + " " + h + "\">\n";
    text += "<title>" + escape(title_) + ", " + time_text() + "</title>\n<defs>\n";
    text +=
        "<linearGradient id=\"sky\" x2=\"0\" y2=\"1\"><stop stop-color=\"#a9c6e8\"/>"
        "<stop offset=\".55\" stop-color=\"#dce9f5\"/><stop offset=\"1\" stop-color=\"#f6f4ef\"/>"
        "</linearGradient>\n<filter id=\"soft\" x=\"-20%\" y=\"-20%\" width=\"140%\" "
        "height=\"140%\"><feGaussianBlur stdDeviation=\"" +
        fixed(options_.height / 240.0, 1) + "\"/></filter>\n";
    text += canvas_.gradients.definitions() + "</defs>\n";
    return text + "<rect width=\"" + w + "\" height=\"" + h + "\" fill=\"url(#sky)\"/>\n";
  }

  std::string caption() const {
    const double size = std::max(9.0, options_.height / 30.0);
    const auto line = [&](double down, double scale, const std::string& more,
                          const std::string& s) {
      return "<text x=\"" + fixed(0.9 * size, 1) + "\" y=\"" + fixed(down * size, 1) +
             "\" font-size=\"" + fixed(scale * size, 1) + "\"" + more + ">" + escape(s) +
             "</text>\n";
    };
    return "<g font-family=\"system-ui, 'Segoe UI', Helvetica, Arial, sans-serif\" "
           "fill=\"#22303f\">\n" +
           line(1.6, 1, " font-weight=\"600\"", title_) +
           line(2.7, 0.7, " fill-opacity=\".75\"", time_text()) + "</g>\n";
  }

  const Model& model_;
  const Poses& poses_;
  const SketchOptions& options_;
  std::string title_;
  Canvas canvas_;
  std::vector<Plane> planes_;
  std::vector<Ball> balls_;
  double extent_ = 1;  // m, half the diagonal of what is drawn
};

}  // namespace

Result<std::string> sketch_svg(RecordingReader& reader, const SketchOptions& options) {
  if (const Status status = check(options); !status) return status.error();
  const Result<Poses> poses = read_poses(reader, options);
  if (!poses) return poses.error();
  const Result<SceneRecord> record = reader.scene();
  if (!record) return record.error();
  Result<scene::Document> document = load_document(*record);
  if (!document) return document.error();
  auto camera = find_camera(*document, options.camera, record->name);
  if (!camera) return camera.error();
  if (*camera) {
    const Status placed = stop_camera(reader, *document, poses->frames.back().time, **camera);
    if (!placed) return placed.error();
  }
  const Result<Model> model = make_model(*document, reader.run(), *record);
  if (!model) return model.error();
  return Picture(*document, *model, *poses, options).draw(*camera);
}

}  // namespace tenon::render
