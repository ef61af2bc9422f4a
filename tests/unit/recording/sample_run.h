// Made-up runs for tests, benchmarks and fuzzing of recordings. The motions are integrated, so
// that their numbers have the smoothness and the rounding noise of real ones.
#pragma once

#include <limits>
#include <string>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/math/elementary.h"
#include "tenon/recording/reader.h"
#include "tenon/recording/writer.h"

namespace tenon::test {

enum class SampleMotion {
  kFlight,    // thrown, spinning at a constant rate about a fixed axis
  kTumbling,  // thrown, torque-free with three different moments of inertia
  kRest,      // does not move
  kJitter,    // tumbling with a kick of 1e-3 m/s and rad/s in every step: a pile under contact
  kNoise,     // random bits of every finite double, signed zeros and denormals included
};

struct SampleRun {
  RunRecord run;
  SceneRecord scene;
  std::vector<RecordedFrame> frames;
  std::vector<std::vector<RecordedJoint>> joints;  // of each frame
  std::vector<StepDiagnostics> diagnostics;
  std::vector<RecordedEvent> events;
  std::vector<RecordedContact> contacts;
  std::vector<RecordedKeyframe> keyframes;
};

inline Vec3 random_vector(Rng& rng, double size) {
  return {rng.uniform(-size, size), rng.uniform(-size, size), rng.uniform(-size, size)};
}

inline double random_finite(Rng& rng) {
  const uint64_t bits = rng.next();
  switch (rng.below(8)) {
    case 0:
      return -0.0;
    case 1:
      return 0.0;
    case 2:
      return std::bit_cast<double>(bits & 0x800fffffffffffffull);  // denormal
    case 3:
      return std::numeric_limits<double>::max();
    default:
      break;
  }
  const double value = std::bit_cast<double>(bits);
  return std::isfinite(value) ? value : 1.0;
}

inline void move(RecordedBody& body, SampleMotion motion, double h, Rng& rng) {
  if (motion == SampleMotion::kRest) return;
  if (motion == SampleMotion::kNoise) {
    for (Vec3* v : {&body.X_WB.p, &body.v_WC, &body.w_WB})
      *v = {random_finite(rng), random_finite(rng), random_finite(rng)};
    body.X_WB.q = {random_finite(rng), random_finite(rng), random_finite(rng), random_finite(rng)};
    return;
  }
  if (motion == SampleMotion::kJitter) {
    body.v_WC += random_vector(rng, 1e-3);
    body.w_WB += random_vector(rng, 1e-3);
  }
  const Vec3 v = body.v_WC;
  body.v_WC.y -= 9.81 * h;
  body.X_WB.p += (0.5 * h) * (v + body.v_WC);
  Vec3 w_middle = body.w_WB;
  if (motion != SampleMotion::kFlight) {
    // Euler's equations in body axes, midpoint rule
    const Vec3 I{1, 2, 3};
    const Quat& q = body.X_WB.q;
    const auto rate = [&](const Vec3& w_B) {
      const Vec3 torque = -cross(w_B, cwise_mul(I, w_B));
      return Vec3{torque.x / I.x, torque.y / I.y, torque.z / I.z};
    };
    const Vec3 w_B = rotate(conjugate(q), body.w_WB);
    const Vec3 middle = w_B + (0.5 * h) * rate(w_B);
    w_middle = rotate(q, middle);
    const Vec3 w_end = w_B + h * rate(middle);
    body.X_WB.q = normalized(exp_map(h * w_middle) * q);
    body.w_WB = rotate(body.X_WB.q, w_end);
  } else {
    body.X_WB.q = normalized(exp_map(h * w_middle) * body.X_WB.q);
  }
}

inline void add_events_and_rows(SampleRun& sample, const RecordedFrame& frame, Rng& rng) {
  const auto bodies = static_cast<uint32_t>(frame.bodies.size());
  StepDiagnostics row;
  row.step = frame.step;
  row.time = frame.time;
  row.mechanics.kinetic_J = rng.uniform(0, 10);
  row.mechanics.linear_momentum = random_vector(rng, 5);
  row.work_J = -0.0;
  row.contacts = rng.below(100);
  row.frozen_bodies = 1;
  row.penetration_m = 1e-310;
  for (double& ms : row.phase_ms) ms = 1e-6 * rng.below(1000000);
  sample.diagnostics.push_back(row);
  if (bodies > 0 && frame.step % 3 == 0)
    sample.events.push_back({frame.step % 2 ? "contact_begin" : "contact_end", frame.step,
                             frame.time, rng.below(bodies), kNoBody, rng.uniform(-1, 0)});
}

inline SampleRun make_sample(SampleMotion motion, uint32_t bodies, uint32_t frames,
                             uint64_t seed = 1) {
  SampleRun sample;
  Rng rng(seed);
  RunRecord& run = sample.run;
  run = {"impulse", 1.0 / 60, frames / 60.0,     2, "0.1.0", {}, {}, false, false, 0.5, 1, 0,
         0,         "",       {{"note", "text"}}};
  sample.scene = {"thrown.json", "Thrown \"boxes\"", "{ // a scene\n}\n", {"world.step=1/60"}};
  RecordedFrame frame;
  for (uint32_t b = 0; b < bodies; ++b) {
    run.body_names.push_back("body" + std::to_string(b));
    RecordedBody body;
    body.X_WB.p = random_vector(rng, 10);
    body.X_WB.q = exp_map(random_vector(rng, 2));
    body.v_WC = random_vector(rng, 5);
    body.w_WB = random_vector(rng, 5);
    frame.bodies.push_back(body);
  }
  for (uint32_t f = 0; f < frames; ++f) {
    frame.step = f;
    frame.time = f * run.step_s;
    frame.state_hash = rng.next();
    if (f > 0)
      for (auto& body : frame.bodies) move(body, motion, run.step_s, rng);
    sample.frames.push_back(frame);
    if (f > 0) add_events_and_rows(sample, frame, rng);
    if (f % 30 == 0) {
      RecordedKeyframe key{frame.step, frame.time, frame.state_hash, {}};
      for (uint32_t i = 0; i < 24 + bodies; ++i)
        key.state.push_back(static_cast<std::byte>(rng.below(256)));
      sample.keyframes.push_back(key);
    }
  }
  return sample;
}

// Gives the sample joints that swing, and one that breaks half way.
inline void add_joints(SampleRun& sample, uint32_t count, uint64_t seed = 2) {
  Rng rng(seed);
  sample.run.joint_track = true;
  for (uint32_t j = 0; j < count; ++j)
    sample.run.joint_names.push_back("joint" + std::to_string(j));
  for (size_t f = 0; f < sample.frames.size(); ++f) {
    auto& joints = sample.joints.emplace_back(count);
    for (uint32_t j = 0; j < count; ++j) {
      RecordedJoint& joint = joints[j];
      joint.gap_m = 1e-12 * rng.uniform();
      joint.angle_rad = j % 2 ? 0.0 : random_finite(rng);
      joint.coordinate[3] = 0.3 * sin(0.1 * static_cast<double>(f) + j);
      joint.force = random_vector(rng, 10);
      joint.torque = {-0.0, 0, 1e-310};
      joint.broken = j == 0 && 2 * f > sample.frames.size();
      joint.enabled = j != 1;
    }
  }
}

// Gives every step but the initial state and every fourth `count` contacts, and some events an
// impulse.
inline void add_contacts(SampleRun& sample, uint32_t count, uint64_t seed = 3) {
  Rng rng(seed);
  sample.run.contact_track = true;
  for (const RecordedFrame& frame : sample.frames) {
    for (uint32_t i = 0; i < count && frame.step % 4 != 0; ++i) {
      RecordedContact c;
      c.step = frame.step;
      c.time = frame.time;
      c.a = rng.below(3);
      c.b = i % 5 == 0 ? kNoBody : 1;
      c.point_W = random_vector(rng, 3);
      c.normal_W = {-0.0, 1, random_finite(rng)};
      c.distance = -1e-4 * rng.uniform();
      c.impulse_W = random_vector(rng, 10);
      c.acts = i % 3 != 0;
      sample.contacts.push_back(c);
    }
  }
  for (RecordedEvent& event : sample.events)
    if (event.kind == "contact_begin") event.impulse = rng.uniform(0, 5);
}

// Writes everything in the order in which a run produces it; stops at the first failure.
inline Status write_sample(const SampleRun& sample, ByteSink& sink,
                           const WriteOptions& options = {}, const EndRecord* end = nullptr) {
  RecordingWriter writer(sink, options);
  if (auto status = writer.begin(sample.run, sample.scene); !status) return status;
  size_t row = 0, event = 0, contact = 0, key = 0;
  for (const RecordedFrame& frame : sample.frames) {
    for (; event < sample.events.size() && sample.events[event].step <= frame.step; ++event)
      if (auto status = writer.add_event(sample.events[event]); !status) return status;
    for (; contact < sample.contacts.size() && sample.contacts[contact].step <= frame.step;
         ++contact)
      if (auto status = writer.add_contact(sample.contacts[contact]); !status) return status;
    for (; row < sample.diagnostics.size() && sample.diagnostics[row].step <= frame.step; ++row)
      if (auto status = writer.add_diagnostics(sample.diagnostics[row]); !status) return status;
    if (key < sample.keyframes.size() && sample.keyframes[key].step == frame.step) {
      const auto& k = sample.keyframes[key++];
      if (auto status = writer.add_keyframe(k.step, k.time, k.state_hash, k.state); !status)
        return status;
    }
    const auto place = static_cast<size_t>(&frame - sample.frames.data());
    const std::span<const RecordedJoint> joints =
        sample.joints.empty() ? std::span<const RecordedJoint>() : sample.joints[place];
    if (auto status =
            writer.add_frame(frame.step, frame.time, frame.state_hash, frame.bodies, joints);
        !status)
      return status;
  }
  const auto& last = sample.frames.back();
  return writer.finish(end ? *end : EndRecord{RunEnd::kCompleted, "", last.step, last.time});
}

inline std::vector<std::byte> sample_bytes(const SampleRun& sample,
                                           const WriteOptions& options = {}) {
  MemorySink sink;
  const auto status = write_sample(sample, sink, options);
  TENON_DEMAND(status.ok());
  return sink.bytes();
}

inline bool same_bits(double a, double b) {
  return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
}
inline bool same_bits(const RecordedBody& a, const RecordedBody& b) {
  bool same = true;
  for (int i = 0; i < 3; ++i)
    same = same && same_bits(a.X_WB.p[i], b.X_WB.p[i]) && same_bits(a.v_WC[i], b.v_WC[i]) &&
           same_bits(a.w_WB[i], b.w_WB[i]);
  const Quat &p = a.X_WB.q, &q = b.X_WB.q;
  return same && same_bits(p.w, q.w) && same_bits(p.x, q.x) && same_bits(p.y, q.y) &&
         same_bits(p.z, q.z);
}
inline bool same_bits(const RecordedContact& a, const RecordedContact& b) {
  bool same = a == b && same_bits(a.time, b.time) && same_bits(a.distance, b.distance);
  for (int i = 0; i < 3; ++i)
    same = same && same_bits(a.point_W[i], b.point_W[i]) &&
           same_bits(a.normal_W[i], b.normal_W[i]) && same_bits(a.impulse_W[i], b.impulse_W[i]);
  return same;
}
inline bool same_bits(const RecordedFrame& a, const RecordedFrame& b) {
  bool same = a.step == b.step && same_bits(a.time, b.time) && a.state_hash == b.state_hash &&
              a.bodies.size() == b.bodies.size();
  for (size_t i = 0; same && i < a.bodies.size(); ++i) same = same_bits(a.bodies[i], b.bodies[i]);
  return same;
}

}  // namespace tenon::test
