#include "tenon/benchmarks/engines/race.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tenon/benchmarks/cpu_clock.h"
#include "tenon/benchmarks/engines/penetration.h"

namespace tenon {
namespace {

struct Energy {
  double kinetic = 0, potential = 0;
};
Energy calc_energy(const BenchScene& scene, const std::vector<BodyReading>& now) {
  Energy energy;
  for (size_t i = 0; i < now.size(); ++i) {
    const SceneBody& body = scene.bodies[i];
    const Vec3 w_B = rotate(conjugate(now[i].X_WB.q), now[i].w_WB);
    energy.kinetic +=
        0.5 * body.mass * norm2(now[i].v_WB) + 0.5 * dot(w_B, cwise_mul(body.moments, w_B));
    energy.potential += body.mass * kSceneGravity * now[i].X_WB.p.y;
  }
  return energy;
}

bool is_finite(const std::vector<BodyReading>& now) {
  return std::all_of(now.begin(), now.end(), [](const BodyReading& b) {
    return tenon::is_finite(b.X_WB) && tenon::is_finite(b.v_WB) && tenon::is_finite(b.w_WB);
  });
}

// What a run did, frame by frame.
class Watch {
 public:
  Watch(const BenchScene& scene, Figures& figures)
      : scene_(scene),
        f_(figures),
        probe_(scene),
        collides_(scene.collides()),
        ever_broken_(static_cast<size_t>(scene.rings)) {}

  // Returns false once a number is not finite.
  bool look(const std::vector<BodyReading>& now, int frame, double time) {
    if (!is_finite(now)) return false;
    const auto [kinetic, potential] = calc_energy(scene_, now);
    const double energy = kinetic + potential;
    f_.kinetic_max = std::max(f_.kinetic_max, kinetic);
    if (frame == 0) f_.energy_start = f_.energy_min = f_.energy_max = energy;
    f_.energy_end = energy;
    f_.energy_min = std::min(f_.energy_min, energy);
    f_.energy_max = std::max(f_.energy_max, energy);
    for (const BodyReading& body : now) f_.speed_max = std::max(f_.speed_max, norm(body.v_WB));
    f_.gap_end_m = 0;
    broken_.assign(ever_broken_.size(), false);
    for (const SceneJoint& joint : scene_.joints) look_at(joint, now);
    f_.rings_end = count_whole(broken_);
    f_.rings_always = count_whole(ever_broken_);
    if (scene_.top >= 0) {
      const auto top = static_cast<size_t>(scene_.top);
      f_.top_drift_m = now[top].X_WB.p - scene_.bodies[top].X_WB.p;
    }
    // costs more than some engines' steps
    if (collides_ && frame % 6 == 0) {
      f_.penetration_end_m = probe_.find_deepest(now);
      f_.penetration_max_m = std::max(f_.penetration_max_m, f_.penetration_end_m);
    }
    if (f_.torn_at_s == 0 && f_.gap_end_m > 0.5 * scene_.link_length) f_.torn_at_s = time;
    f_.gap_max_m = std::max(f_.gap_max_m, f_.gap_end_m);
    f_.gap_rms_m = std::sqrt(squares_ / std::max(count_, 1.0));
    return true;
  }

 private:
  void look_at(const SceneJoint& joint, const std::vector<BodyReading>& now) {
    const Pose X_WA = joint.a < 0 ? Pose{} : now[static_cast<size_t>(joint.a)].X_WB;
    const Pose X_WB = now[static_cast<size_t>(joint.b)].X_WB;
    const Vec3 gap = X_WB.p + rotate(X_WB.q, joint.p_B) - X_WA.p - rotate(X_WA.q, joint.p_A);
    squares_ += norm2(gap);
    count_ += 1;
    f_.gap_end_m = std::max(f_.gap_end_m, norm(gap));
    if (joint.ring >= 0 && norm(gap) > 0.05 * scene_.link_length) {
      broken_[static_cast<size_t>(joint.ring)] = true;
      ever_broken_[static_cast<size_t>(joint.ring)] = true;
    }
    if (!joint.hinge) return;
    const Vec3 a = rotate(X_WA.q, joint.axis_A), b = rotate(X_WB.q, joint.axis_B);
    f_.axis_max_rad = std::max(f_.axis_max_rad, std::atan2(norm(cross(a, b)), dot(a, b)));
    if (!joint.limited) return;
    const Vec3 from = rotate(X_WA.q, joint.side_A), to = rotate(X_WB.q, joint.side_B);
    const double angle = std::atan2(dot(a, cross(from, to)), dot(from, to));
    f_.limit_max_rad = std::max({f_.limit_max_rad, angle - joint.max, joint.min - angle});
  }
  static int count_whole(const std::vector<bool>& broken) {
    return static_cast<int>(std::count(broken.begin(), broken.end(), false));
  }

  const BenchScene& scene_;
  Figures& f_;
  PenetrationProbe probe_;
  bool collides_;
  std::vector<bool> broken_, ever_broken_;  // by ring
  double squares_ = 0, count_ = 0;
};

// One run from the start. The first one is watched; the later ones are as long as it was.
// Returns the CPU seconds it took.
double run(const BenchScene& scene, const Contestant& who, const RaceSettings& settings,
           Figures& figures) {
  const bool first = figures.repetitions == 0;
  const auto engine = who.kind.make(scene, {settings.frame, who.substeps, settings.phases});
  std::vector<BodyReading> now;
  for (const SceneBody& body : scene.bodies) now.push_back({body.X_WB, {}, {}});
  Watch watch(scene, figures);
  const auto look = [&](int frame) {
    engine->read(now);
    return watch.look(now, frame, frame * settings.frame);
  };
  const int lead_in = static_cast<int>(std::lround(settings.lead_in / settings.frame));
  for (int frame = 0; frame < lead_in; ++frame) engine->advance();
  const std::vector<PhaseTime> before = engine->phases();
  if (first) look(0);
  double total = 0, worst = 0, contacts = 0;
  const int frames = first ? figures.frames_wanted : figures.frames;
  for (int frame = 1; frame <= frames; ++frame) {
    const double start = cpu_seconds();
    engine->advance();
    const double took = cpu_seconds() - start;
    total += took;
    worst = std::max(worst, took);
    if (!first) continue;
    figures.frames = frame;
    contacts += engine->contacts();
    if (engine->failed() || !look(frame)) {
      figures.failed_at_s = frame * settings.frame;
      break;
    }
    if (total > settings.cap) break;
  }
  const double ms = 1e3 * total / std::max(1, figures.frames);
  figures.ms = first ? ms : std::min(figures.ms, ms);
  figures.worst_ms = first ? 1e3 * worst : std::min(figures.worst_ms, 1e3 * worst);
  if (first) {
    figures.note = engine->note();
    figures.contacts = contacts / std::max(1, figures.frames);
    figures.phases = engine->phases();
    for (size_t k = 0; k < before.size(); ++k) {
      figures.phases[k].ms = (figures.phases[k].ms - before[k].ms) / std::max(1, figures.frames);
    }
  }
  ++figures.repetitions;
  return total;
}

}  // namespace

std::string verdict(const Figures& f) {
  char text[80];
  std::string words;
  const auto add = [&](const char* form, auto... values) {
    std::snprintf(text, sizeof text, form, values...);
    words += (words.empty() ? "" : ", ") + std::string(text);
  };
  if (f.failed_at_s > 0) add("**failed at %.3g s**", f.failed_at_s);
  if (f.torn_at_s > 0) add("torn at %.3g s", f.torn_at_s);
  // more than a tenth of the motion itself, and not of a scene at rest
  const double gain = f.energy_max - f.energy_start;
  if (gain > 0.1 * f.kinetic_max && gain > 1e-3) add("%s", "gains energy");
  if (words.empty()) words = "holds";
  if (f.failed_at_s == 0 && f.frames < f.frames_wanted) {
    add("stopped after %d of %d frames", f.frames, f.frames_wanted);
  }
  return f.note.empty() ? words : words + ", " + f.note;
}

std::vector<Figures> race(const BenchScene& scene, const std::vector<Contestant>& contestants,
                          const RaceSettings& settings) {
  std::vector<Figures> figures(contestants.size());
  std::vector<double> spent(contestants.size());
  for (size_t i = 0; i < contestants.size(); ++i) {
    figures[i].refused = contestants[i].kind.refuse(scene);
    figures[i].frames_wanted =
        std::max(1, static_cast<int>(std::lround(settings.seconds / settings.frame)));
  }
  for (int repetition = 0; repetition < settings.repeat; ++repetition) {
    for (size_t i = 0; i < contestants.size(); ++i) {
      if (!figures[i].refused.empty() || spent[i] > settings.cap) continue;
      spent[i] += run(scene, contestants[i], settings, figures[i]);
    }
  }
  return figures;
}

}  // namespace tenon
