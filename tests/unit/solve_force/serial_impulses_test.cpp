// Collisions in turn: the cradle (D5), the flat cuboid (D6), random clusters (E15).
#include "tenon/engine/solve_force/serial_impulses.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tenon/engine/base/rng.h"

namespace tenon {
namespace {

nlohmann::json load_reference() {
  std::ifstream file(std::string(TENON_REFERENCE_DIR) + "/D_contact_closed_form.json");
  return nlohmann::json::parse(file);
}
Vec3 vec(const nlohmann::json& j) { return {j[0], j[1], j[2]}; }

struct Cradle {
  std::vector<double> v;
  SerialResult result;
};

Cradle run_cradle(std::vector<double> v, double e, int max_steps) {
  const size_t n = v.size();
  const FreeResponse response(std::vector<FreeResponse::Inverse>(n, {1, 10 * Mat3::identity()}));
  std::vector<Motion> velocity(n);
  for (size_t i = 0; i < n; ++i) velocity[i].v.x = v[i];
  std::vector<CollidingPoint> points(n - 1);
  for (uint32_t i = 0; i + 1 < n; ++i) {
    points[i].at = {i, i + 1, {0.5, 0, 0}, {-0.5, 0, 0}, {1, 0, 0}};
    points[i].restitution = e;
  }
  Cradle c;
  c.result = collide_in_turn(points, response, velocity, {.max_steps = max_steps});
  for (const Motion& m : velocity) c.v.push_back(m.v.x);
  return c;
}

TEST(SerialImpulses, PassTheCradle) {
  const nlohmann::json reference = load_reference()["D5_cradle_serial"];
  struct Case {
    const char* name;
    double e;
    int max_steps;
  };
  for (const Case& c : {Case{"one_in_e1", 1, 0}, Case{"two_in_e1", 1, 0},
                        Case{"one_in_e0.9_until_separated", 0.9, 1000}}) {
    const auto& r = reference[c.name];
    const Cradle cradle = run_cradle(r["history"][0].get<std::vector<double>>(), c.e, c.max_steps);
    EXPECT_EQ(cradle.result.steps, r["collisions_processed"].get<int>()) << c.name;
    EXPECT_FALSE(cradle.result.capped);
    for (size_t i = 0; i < 5; ++i) {
      EXPECT_NEAR(cradle.v[i], r["final"][i].get<double>(), 1e-15) << c.name;  // round-off
    }
  }
}

TEST(SerialImpulses, EndAfterTwiceAsManyStepsAsPoints) {
  // e = 0.9 would need ten: the paper's cap for four points is eight
  const nlohmann::json r = load_reference()["D5_cradle_serial"]["one_in_e0.9_until_separated"];
  const Cradle cradle = run_cradle({1, 0, 0, 0, 0}, 0.9, 0);
  EXPECT_EQ(cradle.result.steps, 8);
  EXPECT_TRUE(cradle.result.capped);
  EXPECT_GT(cradle.result.approach, 0);
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(cradle.v[i], r["history"][8][i].get<double>(), 1e-15);
  }
}

TEST(SerialImpulses, TurnAFlatCuboidAsThePaperSays) {
  const nlohmann::json cases = load_reference()["D6_cuboid_flat_serial_2k"];
  for (const auto& c : cases) {
    const Vec3 size = vec(c["size_xyz"]);
    const double m = c["m"];
    const Vec3 I{m / 12 * (size.y * size.y + size.z * size.z),
                 m / 12 * (size.x * size.x + size.z * size.z),
                 m / 12 * (size.x * size.x + size.y * size.y)};
    const FreeResponse response({{}, {1 / m, Mat3::diagonal({1 / I.x, 1 / I.y, 1 / I.z})}});
    std::vector<Motion> velocity(2);
    velocity[1].v = vec(c["v_before"]);
    std::vector<CollidingPoint> points;
    for (const auto& corner : c["corner_order"]) {
      const Vec3 r = vec(corner) - Vec3{0, 0.5 * size.y, 0};
      points.push_back({{0, 1, {}, r, {0, 1, 0}}, c["restitution"].get<double>()});
    }
    const SerialResult result = collide_in_turn(points, response, velocity);
    EXPECT_EQ(result.steps, c["steps"].get<int>());
    EXPECT_LE(norm(velocity[1].v - vec(c["final_v"])), 1e-14);
    EXPECT_LE(norm(velocity[1].w - vec(c["final_w"])), 1e-14);
    // what is left of the approach is told
    double left = 0;
    for (const CollidingPoint& p : points) {
      left = std::max(left, -dot(p.at.normal_W, relative_velocity(p.at, {}, velocity[1])));
    }
    EXPECT_DOUBLE_EQ(result.approach, left);
  }
}

struct Cluster {
  std::vector<double> mass;
  std::vector<Mat3> I;
  std::vector<Vec3> x;
  std::vector<Motion> velocity;
  std::vector<CollidingPoint> points;
};

Cluster make_cluster(Rng& rng, uint32_t contacts, double e, double friction) {
  const auto random = [&](double r) {
    const double a = rng.uniform(-r, r), b = rng.uniform(-r, r);
    return Vec3{a, b, rng.uniform(-r, r)};
  };
  Cluster c;
  const uint32_t bodies = 2 + contacts / 2;
  for (uint32_t i = 0; i < bodies; ++i) {
    c.mass.push_back(rng.uniform(0.1, 10));
    c.I.push_back(Mat3::diagonal(Vec3{1, 1, 1} + 0.5 * random(1)));
    c.x.push_back(random(5));
    c.velocity.push_back({random(1), random(1)});
  }
  for (uint32_t k = 0; k < contacts; ++k) {
    const uint32_t a = rng.below(bodies), b = (a + 1 + rng.below(bodies - 1)) % bodies;
    const Vec3 p = random(5);
    c.points.push_back({{a, b, p - c.x[a], p - c.x[b], normalized(random(1))}, e, friction});
  }
  return c;
}

TEST(SerialImpulses, KeepMomentumAndNeverGainEnergyInRandomClusters) {
  Rng rng(5);
  double worst_momentum = 0, worst_energy = 0, gain = 0, left = 0;
  for (int trial = 0; trial < 150; ++trial) {
    const uint32_t contacts = 2 + rng.below(199);
    const double e = 0.5 * (trial % 3);
    const double friction = trial % 2 == 0 ? 0 : 0.6;
    Cluster c = make_cluster(rng, contacts, e, friction);
    std::vector<FreeResponse::Inverse> inverses;
    for (size_t i = 0; i < c.mass.size(); ++i) {
      inverses.push_back({1 / c.mass[i], inverse(c.I[i])});
    }
    const auto measure = [&](Vec3& P, Vec3& L, double& scale) {
      double energy = 0;
      P = L = {};
      scale = 0;
      for (size_t i = 0; i < c.mass.size(); ++i) {
        const Motion& m = c.velocity[i];
        P += c.mass[i] * m.v;
        L += cross(c.x[i], c.mass[i] * m.v) + c.I[i] * m.w;
        scale += norm(c.mass[i] * m.v) * (1 + norm(c.x[i])) + norm(c.I[i] * m.w);
        energy += 0.5 * c.mass[i] * norm2(m.v) + 0.5 * dot(m.w, c.I[i] * m.w);
      }
      return energy;
    };
    Vec3 P0, L0, P1, L1;
    double scale = 0;
    const double E0 = measure(P0, L0, scale);
    const SerialResult result =
        collide_in_turn(c.points, FreeResponse(std::move(inverses)), c.velocity);
    const double E1 = measure(P1, L1, scale);
    EXPECT_LE(result.steps, 2 * static_cast<int>(contacts));
    worst_momentum = std::max({worst_momentum, norm(P1 - P0) / scale, norm(L1 - L0) / scale});
    gain = std::max(gain, (E1 - E0) / E0);
    if (e == 1 && friction == 0) worst_energy = std::max(worst_energy, std::fabs(E1 - E0) / E0);
    if (result.before > 0) left = std::max(left, result.approach / result.before);
  }
  EXPECT_LT(worst_momentum, 1e-13);
  EXPECT_LT(worst_energy, 1e-12);
  EXPECT_LT(gain, 1e-12);
  RecordProperty("approach_left", std::to_string(left));
}

TEST(SerialImpulses, LeaveBodiesAloneThatNothingMoves) {
  std::vector<Motion> velocity(2);
  velocity[1].v.y = -1;  // a lift that comes down on the floor
  std::vector<CollidingPoint> points{{{0, 1, {}, {}, {0, 1, 0}}, 1}};
  const SerialResult result =
      collide_in_turn(points, FreeResponse(std::vector<FreeResponse::Inverse>(2)), velocity);
  EXPECT_EQ(result.steps, 0);
  EXPECT_EQ(velocity[1].v.y, -1);
  EXPECT_EQ(result.approach, 1);
}

}  // namespace
}  // namespace tenon
