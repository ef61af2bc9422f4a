#include "tenon/recording/compare.h"

#include <algorithm>
#include <map>

#include "tenon/recording/detail/text.h"
#include "tenon/recording/diagnostics_table.h"

namespace tenon {
namespace {

using recording_detail::number;

bool same_bits(double a, double b) {
  return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
}
bool same_bits(const Vec3& a, const Vec3& b) {
  return same_bits(a.x, b.x) && same_bits(a.y, b.y) && same_bits(a.z, b.z);
}
bool same_bits(const RecordedBody& a, const RecordedBody& b) {
  const Quat &qa = a.X_WB.q, &qb = b.X_WB.q;
  return same_bits(a.X_WB.p, b.X_WB.p) && same_bits(qa.w, qb.w) && same_bits(qa.x, qb.x) &&
         same_bits(qa.y, qb.y) && same_bits(qa.z, qb.z) && same_bits(a.v_WC, b.v_WC) &&
         same_bits(a.w_WB, b.w_WB);
}

void keep_largest(double value, uint64_t step, double& largest, uint64_t& where) {
  // a NaN counts as the largest, once
  if (value > largest || (value != value && largest == largest)) largest = value, where = step;
}

void measure(const RecordedBody& a, const RecordedBody& b, uint64_t step, BodyDifference& out) {
  if (same_bits(a, b)) return;
  if (!out.first_step) out.first_step = step;
  keep_largest(norm(a.X_WB.p - b.X_WB.p), step, out.position_m, out.position_step);
  keep_largest(norm(log_map(conjugate(a.X_WB.q) * b.X_WB.q)), step, out.angle_rad, out.angle_step);
  keep_largest(norm(a.v_WC - b.v_WC), step, out.velocity_m_s, out.velocity_step);
  keep_largest(norm(a.w_WB - b.w_WB), step, out.angular_velocity_rad_s, out.angular_velocity_step);
}

class Comparer {
 public:
  Comparer(RecordingReader& a, RecordingReader& b) : a_(a), b_(b) {}

  Result<RecordingComparison> run() {
    compare_scenes();
    compare_runs();
    pair_bodies();
    if (auto status = compare_frames(); !status) return status.error();
    if (auto status = compare_diagnostics(); !status) return status.error();
    if (auto status = compare_events(); !status) return status.error();
    return std::move(out_);
  }

 private:
  void compare_scenes();
  void compare_runs();
  void pair_bodies();
  Status compare_frames();
  void compare_frame(const RecordedFrame& fa, const RecordedFrame& fb);
  Status compare_diagnostics();
  Status compare_events();
  void differs(const std::string& what, const std::string& in_a, const std::string& in_b) {
    if (in_a != in_b) out_.descriptions.push_back(what + ": " + in_a + " against " + in_b);
  }
  // Steps that both cover, on the grid of frames.
  uint64_t first_common() const;
  uint64_t last_common() const;

  RecordingReader &a_, &b_;
  RecordingComparison out_;
  std::vector<std::pair<size_t, size_t>> pairs_;
};

void Comparer::compare_scenes() {
  const auto sa = a_.scene(), sb = b_.scene();
  if (!sa || !sb) {
    out_.same_scene = false;
    for (const auto* s : {&sa, &sb})
      if (!*s) out_.descriptions.push_back(format(s->error()));
    return;
  }
  if (sa->text != sb->text) {
    out_.same_scene = false;
    out_.descriptions.push_back("scene text: differs (" + sa->name + " against " + sb->name + ")");
  }
  if (sa->overrides != sb->overrides) {
    out_.same_scene = false;
    const auto joined = [](const std::vector<std::string>& list) {
      std::string text;
      for (const auto& entry : list) text += (text.empty() ? "" : " ") + entry;
      return text.empty() ? std::string("none") : text;
    };
    differs("overrides", joined(sa->overrides), joined(sb->overrides));
  }
}

void Comparer::compare_runs() {
  const RunRecord &ra = a_.run(), &rb = b_.run();
  differs("method", ra.method, rb.method);
  differs("step (s)", number(ra.step_s), number(rb.step_s));
  differs("version", ra.version, rb.version);
  differs("steps per frame", std::to_string(ra.steps_per_frame),
          std::to_string(rb.steps_per_frame));
}

void Comparer::pair_bodies() {
  const auto &na = a_.run().body_names, &nb = b_.run().body_names;
  out_.same_bodies = na == nb;
  std::map<std::string, size_t> place_in_b;
  for (size_t i = 0; i < nb.size(); ++i) place_in_b.emplace(nb[i], i);
  for (size_t i = 0; i < na.size(); ++i) {
    // the same list pairs by place, which copes with names that occur twice
    if (out_.same_bodies)
      pairs_.emplace_back(i, i);
    else if (const auto found = place_in_b.find(na[i]); found != place_in_b.end())
      pairs_.emplace_back(i, found->second);
  }
  out_.bodies.resize(pairs_.size());
  for (size_t k = 0; k < pairs_.size(); ++k) out_.bodies[k].name = na[pairs_[k].first];
  if (!out_.same_bodies)
    out_.descriptions.push_back("bodies: " + std::to_string(na.size()) + " against " +
                                std::to_string(nb.size()) + ", " + std::to_string(pairs_.size()) +
                                " of the same name");
}

// Both lists of frames are in order of steps: one walk over both.
Status Comparer::compare_frames() {
  RecordedFrame fa, fb;
  const uint64_t na = a_.frame_count(), nb = b_.frame_count();
  uint64_t ia = 0, ib = 0;
  bool have_a = false, have_b = false;
  while (ia < na || ib < nb) {
    if (ia < na && !have_a)
      if (auto status = a_.read_frame(ia, fa); !status) return status;
    if (ib < nb && !have_b)
      if (auto status = b_.read_frame(ib, fb); !status) return status;
    have_a = ia < na;
    have_b = ib < nb;
    const bool take_a = have_a && (!have_b || fa.step <= fb.step);
    const bool take_b = have_b && (!have_a || fb.step <= fa.step);
    if (take_a && take_b) {
      compare_frame(fa, fb);
    } else if (take_a) {
      if (out_.only_in_a++ == 0) out_.first_only_in_a = fa.step;
    } else {
      if (out_.only_in_b++ == 0) out_.first_only_in_b = fb.step;
    }
    if (take_a) ++ia, have_a = false;
    if (take_b) ++ib, have_b = false;
  }
  return Ok{};
}

void Comparer::compare_frame(const RecordedFrame& fa, const RecordedFrame& fb) {
  ++out_.common_frames;
  if (!out_.first_hash_divergence && fa.state_hash != fb.state_hash && out_.same_bodies)
    out_.first_hash_divergence = fa.step;
  std::string body;
  bool differ = !same_bits(fa.time, fb.time);
  for (size_t k = 0; k < pairs_.size(); ++k) {
    const RecordedBody &x = fa.bodies[pairs_[k].first], &y = fb.bodies[pairs_[k].second];
    if (same_bits(x, y)) continue;
    if (body.empty()) body = out_.bodies[k].name;
    differ = true;
    measure(x, y, fa.step, out_.bodies[k]);
  }
  if (differ && !out_.first_divergent_step) {
    out_.first_divergent_step = fa.step;
    out_.first_divergent_time = fa.time;
    out_.first_divergent_body = body;
  }
}

uint64_t first_step(const RecordingReader& r) { return r.run().first_step; }

uint64_t Comparer::first_common() const { return std::max(first_step(a_), first_step(b_)) + 1; }
uint64_t Comparer::last_common() const { return std::min(a_.end().step, b_.end().step); }

Status Comparer::compare_diagnostics() {
  const auto da = a_.read_diagnostics(first_common(), last_common());
  if (!da) return da.error();
  const auto db = b_.read_diagnostics(first_common(), last_common());
  if (!db) return db.error();
  for (size_t i = 0, k = 0; i < da->size() && k < db->size();) {
    const auto &x = (*da)[i], &y = (*db)[k];
    if (x.step != y.step) {
      x.step < y.step ? ++i : ++k;
      continue;
    }
    for (const auto& column : diagnostic_columns())
      if (column.get(x) != column.get(y)) {
        out_.first_diagnostics_divergence = x.step;
        return Ok{};
      }
    ++i, ++k;
  }
  return Ok{};
}

Status Comparer::compare_events() {
  const auto ea = a_.read_events(first_common(), last_common());
  if (!ea) return ea.error();
  const auto eb = b_.read_events(first_common(), last_common());
  if (!eb) return eb.error();
  const size_t count = std::min(ea->size(), eb->size());
  size_t i = 0;
  const auto equal = [&](const RecordedEvent& x, const RecordedEvent& y) {
    return x.kind == y.kind && x.step == y.step && x.a == y.a && x.b == y.b &&
           same_bits(x.time, y.time) && same_bits(x.value, y.value) &&
           same_bits(x.impulse, y.impulse);
  };
  while (i < count && equal((*ea)[i], (*eb)[i])) ++i;
  if (i == ea->size() && i == eb->size()) return Ok{};
  uint64_t step = ~uint64_t{0};
  if (i < ea->size()) step = std::min(step, (*ea)[i].step);
  if (i < eb->size()) step = std::min(step, (*eb)[i].step);
  out_.first_events_divergence = step;
  return Ok{};
}

}  // namespace

Result<RecordingComparison> compare(RecordingReader& a, RecordingReader& b) {
  return Comparer(a, b).run();
}

}  // namespace tenon
