// Forces of a document as F records. AERO knows constant forces only: ramps and curves become
// pieces of constant force with the same impulse, a torque in body axes becomes a couple.
#include <algorithm>
#include <optional>

#include "tenon/scene/aero/save_parts.h"
#include "tenon/scene/formats/number_text.h"

namespace tenon::scene::aero {
namespace {

constexpr int kPiecesOfSlope = 10;  // between two keys with different scales
constexpr double kForever = 1e9;    // s, the last time of a scene

struct Piece {
  double t0 = 0, t1 = 0, scale = 1;
};

void add_slope(std::vector<Piece>& pieces, ForceKey a, ForceKey b) {
  const int count = a.scale == b.scale ? 1 : kPiecesOfSlope;
  for (int i = 0; i < count; ++i) {
    const double u0 = static_cast<double>(i) / count, u1 = static_cast<double>(i + 1) / count;
    pieces.push_back({a.t + u0 * (b.t - a.t), i + 1 == count ? b.t : a.t + u1 * (b.t - a.t),
                      a.scale + 0.5 * (u0 + u1) * (b.scale - a.scale)});
  }
}

std::vector<Piece> find_pieces(const Force& f) {
  const double begin = begin_of(f), end = end_of(f).value_or(kForever);
  std::vector<ForceKey> keys = f.curve;
  if (f.ramp) keys = {{begin, f.ramp->from}, {end, f.ramp->to}};
  if (keys.empty()) return {{begin, end, 1}};
  std::vector<Piece> pieces;
  // held before the first key and after the last, cut to the interval
  keys.insert(keys.begin(), {std::min(begin, keys.front().t) - 1, keys.front().scale});
  keys.push_back({std::max(end, keys.back().t) + 1, keys.back().scale});
  const auto at = [](const ForceKey& a, const ForceKey& b, double t) {
    return ForceKey{t, a.scale + (b.scale - a.scale) * ((t - a.t) / (b.t - a.t))};
  };
  for (size_t i = 1; i < keys.size(); ++i) {
    const ForceKey &a = keys[i - 1], &b = keys[i];
    const double from = std::max(a.t, begin), to = std::min(b.t, end);
    if (from < to) add_slope(pieces, at(a, b, from), at(a, b, to));
  }
  return pieces;
}

void write_record(Writer& w, const Piece& piece, const WrittenBody& body,
                  const std::optional<Vec3>& point, const std::string& kind) {
  w.text += "F " + format_number(piece.t0) + " " + format_number(piece.t1) + " " +
            body_name(body.number) + (point ? " " + numbers(*point) : "") + " " + kind;
  // a force in pieces has several records, and the name only once
  ++w.force_records;
  if (!w.force_named) w.text += name_remark(w.force_name, "F" + std::to_string(w.force_records));
  w.force_named = true;
  w.text += "\n";
}

// 2 r x F = torque, r across it, F = torque x r / (2 r^2).
void write_couple(Writer& w, const Piece& piece, const WrittenBody& body, const Vec3& torque) {
  const Vec3 r = any_orthogonal(normalized(torque)), F = (0.5 * piece.scale) * cross(torque, r);
  write_record(w, piece, body, r, "local " + numbers(F));
  write_record(w, piece, body, -r, "local " + numbers(-F));
}

void write_force(Writer& w, const Force& f) {
  const auto found = w.bodies.find(f.body.name);
  if (found == w.bodies.end()) {
    return w.warn(f.place, "the body of the force was left out, and so is the force", f.name);
  }
  const WrittenBody& body = found->second;
  w.force_name = f.name;
  w.force_named = false;
  std::optional<Vec3> point;
  if (f.point) point = Writer::point_of(body, *f.point);
  const std::vector<Piece> pieces = find_pieces(f);
  if (pieces.size() > 1) {
    w.warn(f.place, "AERO has constant forces only; written in pieces", f.name);
  }
  if (f.toward) {
    const WrittenBody* target = w.find(f.toward->body, f.toward->point.value_or(Vec3{}));
    if (target == nullptr) {
      return w.warn(f.place, "the force points to a body that was left out", f.name);
    }
    std::string kind = "guided " + body_name(target->number) + " ";
    if (f.toward->point && f.toward->body.name != kWorldName) {
      kind += numbers(Writer::point_of(*target, *f.toward->point)) + " ";
    }
    for (const Piece& p : pieces) {
      if (p.scale != 0)
        write_record(w, p, body, point, kind + format_number(p.scale * f.magnitude));
    }
    return;
  }
  const bool local = f.frame == ForceFrame::kBody;
  if (!(f.torque == Vec3{}) && !local) {
    w.warn(f.place, "AERO has no torques in world axes; left out", f.name);
  }
  for (const Piece& p : pieces) {
    if (p.scale == 0) continue;
    if (!(f.force == Vec3{})) {
      write_record(w, p, body, point,
                   (local ? "local " : "inertial ") + numbers(p.scale * f.force));
    }
    if (!(f.torque == Vec3{}) && local) write_couple(w, p, body, f.torque);
  }
}

}  // namespace

void write_forces(Writer& w) {
  if (!w.document.forces.empty()) w.text += "\n";
  for (const Force& force : w.document.forces) write_force(w, force);
}

}  // namespace tenon::scene::aero
