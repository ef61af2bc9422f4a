#include "tenon/benchmarks/contacts/scenes.h"

#include <charconv>

#include "tenon/benchmarks/joints/scenes.h"
#include "tenon/engine/base/rng.h"

namespace tenon {
namespace {

constexpr Vec3 kUp{0, 1, 0}, kAcross{0, 0, 1};

// The same numbers on every machine and in every run.
class Jitter {
 public:
  double operator()(double range) { return rng_.uniform(-range, range); }

 private:
  Rng rng_{1};
};

SceneMaker make_net_and_boxes() {
  SceneMaker make;
  make.scene = make_scene({SceneFamily::kNet, 16});
  make.ground();
  Jitter jitter;
  for (int k = 0; k < 20; ++k) {
    const double x = 0.6 * (k % 4 - 1.5) + jitter(0.04), z = 0.6 * (k / 4 - 2) + jitter(0.04);
    make.box({{x, 5.6 + 0.25 * (k % 3), z}, from_axis_angle(kUp, jitter(0.3))}, {0.22, 0.22, 0.22},
             10);
  }
  return make;
}

// x along `unit`, z level
Quat x_along(const Vec3& unit) {
  const Vec3 z = normalized(cross(unit, kUp));
  return to_quat(Mat3::from_columns(unit, cross(z, unit), z));
}

constexpr int kPlanks = 26;

// Ends of the planks: an arc that sags, of chords as long as a plank with its gap.
std::vector<Vec3> make_deck() {
  std::vector<Vec3> ends;
  Vec3 p;
  for (int i = 0; i <= kPlanks; ++i) {
    ends.push_back(p);
    const double angle = 0.06 * (i - 0.5 * (kPlanks - 1));
    p += 0.42 * Vec3{tenon::cos(angle), tenon::sin(angle), 0};
  }
  const Vec3 shift{-0.5 * ends.back().x, 5, 0};
  for (Vec3& end : ends) end += shift;
  return ends;
}

// The posts and the rope of one side of the bridge; planks are bodies 1, 2, ...
void add_railing(SceneMaker& make, const std::vector<Vec3>& ends, double side) {
  std::vector<std::pair<int, Vec3>> tops{{-1, ends.front() + Vec3{-0.3, 1, side}}};
  for (int i = 2; i < kPlanks; i += 2) {
    const Pose X_WB = make.body(1 + i).X_WB;
    const Vec3 up = rotate(X_WB.q, kUp), foot = X_WB.p + rotate(X_WB.q, {0, 0.04, 0.95 * side});
    const int post = make.box({foot + 0.46 * up, X_WB.q}, {0.03, 0.44, 0.03}, 1.6);
    make.hinge(1 + i, post, foot, kAcross);
    tops.emplace_back(post, foot + 0.9 * up);
  }
  tops.emplace_back(-1, ends.back() + Vec3{0.3, 1, side});
  // two links per span, a twentieth longer than it
  for (size_t k = 0; k + 1 < tops.size(); ++k) {
    const Vec3 p = tops[k].second, q = tops[k + 1].second;
    const double span = norm(q - p), link = 0.5 * 1.05 * span;
    const Vec3 middle = 0.5 * (p + q) - std::sqrt(link * link - 0.25 * span * span) * kUp;
    const auto add_link = [&](const Vec3& from, const Vec3& to) {
      const double length = norm(to - from);
      return make.box({0.5 * (from + to), x_along((to - from) / length)},
                      {0.5 * length - 0.03, 0.02, 0.02}, 0.3);
    };
    const int first = add_link(p, middle), second = add_link(middle, q);
    make.ball(tops[k].first, first, p);
    make.ball(first, second, middle);
    make.ball(second, tops[k + 1].first, q);
  }
}

SceneMaker make_bridge() {
  SceneMaker make;
  make.scene.link_length = 0.42;
  make.ground();
  const std::vector<Vec3> ends = make_deck();
  int before = -1;
  for (size_t i = 0; i < kPlanks; ++i) {
    const Pose X_WB{0.5 * (ends[i] + ends[i + 1]), x_along(normalized(ends[i + 1] - ends[i]))};
    const int plank = make.box(X_WB, {0.20, 0.04, 1.0}, 32);
    make.hinge(before, plank, ends[i], kAcross);
    before = plank;
  }
  make.hinge(before, -1, ends.back(), kAcross);
  for (double side : {-1.0, 1.0}) add_railing(make, ends, side);
  Jitter jitter;
  for (int k = 0; k < 81; ++k) {
    const double x = k % 9 - 4 + jitter(0.1), z = 0.55 * (k / 9 % 3 - 1) + jitter(0.03);
    const Vec3 p{x, 6 + 0.5 * (k / 27), z};
    const Quat q = from_axis_angle(kUp, jitter(0.2));
    const Vec3 half{0.14, 0.1, 0.12}, apart = rotate(q, {0.16, 0, 0});
    const int a = make.box({p - apart, q}, half, 6), b = make.box({p + apart, q}, half, 6);
    make.hinge(a, b, p, rotate(q, kAcross));
  }
  return make;
}

// A hexagon of capsules with sides of 0.3 m, level for q = 1.
void add_ring(SceneMaker& make, const Vec3& centre, const Quat& q) {
  const double side = 0.3;
  Vec3 corners[7];
  for (int i = 0; i <= 6; ++i) {
    const double angle = i * kPi / 3;
    corners[i] = centre + rotate(q, side * Vec3{tenon::cos(angle), 0, tenon::sin(angle)});
  }
  const int first = static_cast<int>(make.scene.bodies.size());
  for (int i = 0; i < 6; ++i) {
    const Vec3 along = normalized(corners[i + 1] - corners[i]);
    make.capsule({0.5 * (corners[i] + corners[i + 1]), z_along(along)}, 0.035, 0.115, 0.5);
  }
  for (int i = 0; i < 6; ++i) {
    make.ball(first + i, first + (i + 1) % 6, corners[i + 1]).ring = make.scene.rings;
  }
  ++make.scene.rings;
}

SceneMaker make_rings() {
  SceneMaker make;
  make.scene.link_length = 0.3;
  make.ground();
  const double pitch = 1.2;
  const auto pole = [&](int i, double y) {
    return Vec3{pitch * (i % 5 - 2), y, pitch * (i / 5 - 2)};
  };
  for (int i = 0; i < 25; ++i) make.capsule({pole(i, 1.5), z_along(kUp)}, 0.1, 1.4, 0);
  Jitter jitter;
  for (int k = 0; k < 360; ++k) {
    const double dx = jitter(0.15), dz = jitter(0.15), ax = jitter(1), az = jitter(1);
    const Quat tilt = from_axis_angle(normalized(Vec3{ax, 0.05, az}), jitter(0.2));
    add_ring(make, pole(k % 25, 3.4 + 0.25 * (k / 25)) + Vec3{dx, 0, dz},
             tilt * from_axis_angle(kUp, jitter(3)));
  }
  return make;
}

// Rings that lie on one another almost from the start, so that the number of contacts grows with
// theirs and a second tells what it costs.
SceneMaker make_piles(int rings) {
  SceneMaker make;
  make.scene.link_length = 0.3;
  make.ground();
  const double pitch = 0.072, half = 0.5 * pitch * rings + 0.5;
  Jitter jitter;
  for (double x : {-0.6, 0.6}) {
    for (double z : {-0.6, 0.6}) {
      make.capsule({{x, half + 0.1, z}, z_along(kUp)}, 0.1, half, 0);
      for (int k = 0; k < rings; ++k) {
        const double dx = jitter(0.05), dz = jitter(0.05), ax = jitter(1), az = jitter(1);
        const Quat tilt = from_axis_angle(normalized(Vec3{ax, 0.05, az}), jitter(0.002));
        add_ring(make, {x + dx, 0.05 + pitch * k, z + dz}, tilt * from_axis_angle(kUp, jitter(3)));
      }
    }
  }
  return make;
}

// Lying figures in layers.
SceneMaker make_ragdolls(int count) {
  SceneMaker make;
  make.scene.link_length = 0.3;
  make.ground();
  const int columns = count <= 20 ? 4 : count <= 50 ? 5 : count <= 100 ? 6 : count <= 200 ? 8 : 10;
  const int rows = count <= 20 ? 1 : count <= 100 ? 2 : count <= 200 ? 3 : 4;
  const Quat z_to_y = from_axis_angle({1, 0, 0}, -0.5 * kPi);
  const Quat lying = z_to_y * from_axis_angle({0, 1, 0}, 0.5 * kPi);
  Jitter jitter;
  for (int k = 0; k < count; ++k) {
    const int layer = k / (columns * rows), spot = k % (columns * rows);
    const double x = 2.0 * (spot / columns - 0.5 * (rows - 1)) + jitter(0.05);
    const double z = 0.75 * (spot % columns - 0.5 * (columns - 1)) + jitter(0.05);
    add_ragdoll(make, {{x, 0.5 + 0.5 * layer, z}, from_axis_angle(kUp, jitter(0.08)) * lying});
  }
  return make;
}

// Boxes of 1 m and 1 kg.
SceneMaker make_boxes(int base, int layers) {
  SceneMaker make;
  make.ground();
  for (int layer = 0; layer < layers; ++layer) {
    const int count = base == 1 ? 1 : base - layer;
    for (int i = 0; i < count; ++i) {
      const double x = 1.05 * (i - 0.5 * (count - 1));
      make.scene.top = make.box({{x, 0.5 + layer, 0}, {}}, {0.5, 0.5, 0.5}, 1);
    }
  }
  return make;
}

// The number behind a prefix, 1 ... 1000.
std::optional<int> parse_size(const std::string& name, const std::string& prefix) {
  if (!name.starts_with(prefix)) return {};
  int size = 0;
  const char *begin = name.data() + prefix.size(), *end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(begin, end, size);
  if (error != std::errc() || stop != end || size < 1 || size > 1000) return {};
  return size;
}

std::optional<SceneMaker> make_named(const std::string& name) {
  if (name == "S2") return make_net_and_boxes();
  if (name == "S3") return make_bridge();
  if (name == "S4") return make_rings();
  if (name == "S6a") return make_boxes(1, 10);
  if (name == "S6b") return make_boxes(20, 20);
  if (const auto size = parse_size(name, "S5_")) return make_ragdolls(*size);
  if (const auto size = parse_size(name, "rings-")) return make_piles(*size);
  return {};
}

}  // namespace

std::optional<BenchScene> make_contact_scene(const std::string& name) {
  std::optional<BenchScene> scene;
  if (name == "S7") {
    scene = make_scene({SceneFamily::kBars, 40});
  } else if (auto make = make_named(name)) {
    make->let_collide();
    scene = std::move(make->scene);
  }
  if (scene) scene->name = name;
  return scene;
}

}  // namespace tenon
