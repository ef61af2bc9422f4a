#include "tenon/benchmarks/joints/scenes.h"

#include <array>
#include <charconv>

#include "tenon/benchmarks/engines/scene_maker.h"

namespace tenon {
namespace {

struct Family {
  const char* name;
  int usual, least, most;
};
constexpr std::array<Family, 5> kFamilies{{
    {"chain", 100, 1, 1000000},
    {"heavy", 100, 1, 1000000},
    {"net", 16, 2, 577},
    {"bars", 40, 1, 499999},
    {"grid", 16, 2, 1000},
}};

BenchScene make_chain(int n, double last_mass) {
  SceneMaker make;
  const double pitch = 0.2;
  make.scene.link_length = pitch;
  for (int i = 0; i < n; ++i) {
    const double mass = i == n - 1 ? last_mass : 1;
    const int link = make.box({{pitch * (i + 0.5), 0, 0}, {}}, {0.09, 0.03, 0.03}, mass);
    make.ball(link - 1, link, {pitch * i, 0, 0});  // link 0 hangs from the world, -1
  }
  return make.scene;
}

// Knots of a net: the surface swept by moving one arc along another, so that all rods, chords of
// the arcs, have exactly their length. The arc opens by the same angle for every n.
std::vector<Vec3> make_arc(int n, double chord) {
  std::vector<Vec3> points;
  const double end_angle = 0.595, middle = 0.5 * (n - 2);
  Vec3 p;
  for (int i = 0; i < n; ++i) {
    points.push_back(p);
    const double angle = middle > 0 ? (i - middle) * (end_angle / middle) : 0;
    p += chord * Vec3{tenon::cos(angle), tenon::sin(angle), 0};
  }
  const double centre = 0.5 * points.back().x;
  for (Vec3& point : points) point.x -= centre;
  return points;
}

BenchScene make_net(int n) {
  SceneMaker make;
  const double length = 0.3;
  make.scene.link_length = length;
  const std::vector<Vec3> arc = make_arc(n, length);
  const auto knot = [n](int i, int j) { return i * n + j; };
  const auto place = [&](int i, int j) {
    const Vec3 &a = arc[static_cast<size_t>(i)], &b = arc[static_cast<size_t>(j)];
    return Vec3{a.x, 5 + a.y + b.y, b.x};
  };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) make.capsule({place(i, j), {}}, 0.04, 0, 0.3);
  }
  const auto rod = [&](int i, int j, int k, int l) {
    const Vec3 p = place(i, j), q = place(k, l);
    const int body =
        make.capsule({0.5 * (p + q), z_along(normalized(q - p))}, 0.02, 0.5 * length - 0.08, 0.3);
    make.ball(knot(i, j), body, p);
    make.ball(body, knot(k, l), q);
  };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (i + 1 < n) rod(i, j, i + 1, j);
      if (j + 1 < n) rod(i, j, i, j + 1);
    }
  }
  for (int i : {0, n - 1}) {
    for (int j : {0, n - 1}) make.ball(-1, knot(i, j), place(i, j));
  }
  return make.scene;
}

// N-four-bar linkage: 2 n + 1 rods of 1 m and 1 kg, one degree of freedom, n redundant loops when
// all lie in line.
BenchScene make_bars(int n) {
  SceneMaker make;
  make.scene.planar = true;
  const Vec3 axis{0, 0, 1};
  for (int i = 0; i <= n; ++i) {
    const int upright = make.box({{1.0 * i, 0.5, 0}, {}}, {0.02, 0.5, 0.02}, 1);
    make.scene.bodies.back().v_WB = {0.5, 0, 0};
    make.scene.bodies.back().w_WB = {0, 0, -1};
    make.hinge(-1, upright, {1.0 * i, 0, 0}, axis);
  }
  for (int i = 0; i < n; ++i) {
    const int level = make.box({{i + 0.5, 1, 0}, {}}, {0.5, 0.02, 0.02}, 1);
    make.scene.bodies.back().v_WB = {1, 0, 0};
    make.hinge(i, level, {1.0 * i, 1, 0}, axis);
    make.hinge(level, i + 1, {i + 1.0, 1, 0}, axis);
  }
  return make.scene;
}

// The top row of balls is static in the original: here the second row hangs from the world, and
// the joints between static balls, which do nothing, are left out.
BenchScene make_grid(int n) {
  SceneMaker make;
  const double mass = 268.0825731, radius = 0.4;  // density 1000 kg/m^3
  const auto ball = [n](int row, int column) { return row < 1 ? -1 : (row - 1) * n + column; };
  for (int row = 1; row < n; ++row) {
    for (int column = 0; column < n; ++column) {
      make.capsule({{1.0 * column, -1.0 * row, 0}, {}}, radius, 0, mass);
    }
  }
  for (int row = 1; row < n; ++row) {
    for (int column = 0; column < n; ++column) {
      make.ball(ball(row - 1, column), ball(row, column), {1.0 * column, 0.5 - row, 0});
      if (column + 1 == n) continue;
      make.ball(ball(row, column), ball(row, column + 1), {column + 0.5, -1.0 * row, 0});
    }
  }
  return make.scene;
}

}  // namespace

const char* name(SceneFamily family) { return kFamilies[static_cast<size_t>(family)].name; }

std::optional<SceneChoice> parse_scene(const std::string& text) {
  const size_t dash = text.find('-');
  for (size_t i = 0; i < kFamilies.size(); ++i) {
    const Family& family = kFamilies[i];
    if (text.substr(0, dash) != family.name) continue;
    SceneChoice choice{static_cast<SceneFamily>(i), family.usual};
    if (dash == std::string::npos) return choice;
    const char *begin = text.data() + dash + 1, *end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(begin, end, choice.n);
    if (error != std::errc() || stop != end) return {};
    if (choice.n < family.least || choice.n > family.most) return {};
    return choice;
  }
  return {};
}

BenchScene make_scene(const SceneChoice& choice) {
  BenchScene scene;
  switch (choice.family) {
    case SceneFamily::kChain:
      scene = make_chain(choice.n, 1);
      break;
    case SceneFamily::kHeavy:
      scene = make_chain(choice.n, 1000);
      break;
    case SceneFamily::kNet:
      scene = make_net(choice.n);
      break;
    case SceneFamily::kBars:
      scene = make_bars(choice.n);
      break;
    case SceneFamily::kGrid:
      scene = make_grid(choice.n);
      break;
  }
  scene.name = std::string(name(choice.family)) + "-" + std::to_string(choice.n);
  return scene;
}

}  // namespace tenon
