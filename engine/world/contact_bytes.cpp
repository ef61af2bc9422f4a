#include "tenon/engine/world/contact_bytes.h"

#include <tuple>

#include "tenon/engine/math/encode.h"

namespace tenon {
namespace {

constexpr uint8_t kLastKind = static_cast<uint8_t>(TouchKind::kSensorB);

size_t point_count(const Contact& c) { return static_cast<size_t>(c.manifold.count); }

// The members of each record in one order, for writing and for reading.
void put(Encoder& w, const Contact& c) {
  w.u32(c.collider_a);
  w.u32(c.collider_b);
  w.u8(static_cast<uint8_t>(c.vain << 2 | static_cast<uint8_t>(c.kind)));
  w.u8(static_cast<uint8_t>(c.patch << 1 | (c.acts ? 1 : 0)));
  w.u8(static_cast<uint8_t>(c.manifold.count));
  put(w, c.manifold.normal_W);
  w.f64(c.manifold.distance);
  put(w, c.slip_W);
  put(w, c.rub_W);
  put(w, c.roll_W);
  w.f64(c.spin);
  for (size_t k = 0; k < point_count(c); ++k) {
    const ContactPoint& x = c.manifold.points[k];
    put(w, x.p_W);
    w.f64(x.distance);
    w.u32(x.feature);
    put(w, c.impulse_W[k]);
    w.f64(c.holding[k]);
  }
}
constexpr size_t kLeastContactBytes = 2 * 4 + 3 + 4 * 24 + 2 * 8;
// A new member belongs into put and get.
static_assert(sizeof(ContactPoint) == 40 && sizeof(Contact) == 720);

bool get(Decoder& r, const WorldData& data, Contact& c) {
  c.collider_a = r.u32();
  c.collider_b = r.u32();
  const uint8_t kind = r.u8(), patch = r.u8(), count = r.u8();
  if (!r.ok() || count == 0 || count > Manifold::kMaxPoints) return false;
  static_assert(kLastKind == 3);
  c.kind = static_cast<TouchKind>(kind & 3);
  c.vain = kind >> 2;
  c.acts = (patch & 1) != 0;
  c.patch = patch >> 1;
  c.manifold.count = count;
  c.manifold.normal_W = get_vec(r);
  c.manifold.distance = r.f64();
  c.slip_W = get_vec(r);
  c.rub_W = get_vec(r);
  c.roll_W = get_vec(r);
  c.spin = r.f64();
  bool finite = is_finite(c.slip_W) && is_finite(c.rub_W) && is_finite(c.roll_W) &&
                std::isfinite(c.spin) && std::isfinite(c.manifold.distance) &&
                std::fabs(norm(c.manifold.normal_W) - 1) < 1e-6;
  for (size_t k = 0; k < point_count(c); ++k) {
    ContactPoint& x = c.manifold.points[k];
    x.p_W = get_vec(r);
    x.distance = r.f64();
    x.feature = r.u32();
    c.impulse_W[k] = get_vec(r);
    c.holding[k] = r.f64();
    finite = finite && is_finite(x.p_W) && std::isfinite(x.distance) && is_finite(c.impulse_W[k]) &&
             std::isfinite(c.holding[k]);
  }
  for (const uint32_t id : {c.collider_a, c.collider_b}) {
    if (id >= data.collider_slots.capacity() || !data.collider_slots.live(id)) return false;
  }
  c.body_a = data.colliders[c.collider_a].body;
  c.body_b = data.colliders[c.collider_b].body;
  return r.ok() && finite && c.body_a != c.body_b;
}

void put_list(Encoder& w, const std::vector<Contact>& list) {
  w.u32(static_cast<uint32_t>(list.size()));
  for (const Contact& c : list) put(w, c);
}

bool get_list(Decoder& r, const WorldData& data, std::vector<Contact>& out) {
  const uint32_t count = r.u32();
  if (!r.ok() || count > r.left() / kLeastContactBytes) return false;
  out.resize(count);
  for (uint32_t i = 0; i < count; ++i) {
    if (!get(r, data, out[i]) || out[i].collider_a >= out[i].collider_b) return false;
    if (i > 0 && !is_before(out[i - 1], out[i])) return false;
  }
  return true;
}

bool get_pushes(Decoder& r, size_t slots, std::vector<Push>& out) {
  const uint32_t count = r.u32();
  if (!r.ok() || count > r.left() / 40) return false;
  for (uint32_t i = 0; i < count; ++i) {
    Push& p = out.emplace_back();
    p.body_a = r.u32();
    p.body_b = r.u32();
    p.impulse_W = get_vec(r);
    p.normal = r.f64();
    if (p.body_a >= p.body_b || p.body_b >= slots) return false;
    if (!is_finite(p.impulse_W) || !std::isfinite(p.normal)) return false;
    const auto pair = [](const Push& x) { return std::tie(x.body_a, x.body_b); };
    if (i > 0 && !(pair(out[i - 1]) < pair(p))) return false;
  }
  return r.ok();
}

bool get_touches(Decoder& r, size_t slots, std::vector<Touch>& out) {
  const uint32_t count = r.u32();
  if (!r.ok() || count > r.left() / 17) return false;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t a = r.u32(), b = r.u32();
    const double distance = r.f64();
    const uint8_t kind = r.u8();
    if (a >= slots || b >= slots || !std::isfinite(distance) || kind > kLastKind) return false;
    out.push_back({a, b, distance, static_cast<TouchKind>(kind)});
  }
  return r.ok();
}

}  // namespace

// How often steps are halved: so often for all bodies, as in older states, or for each its own.
constexpr int kHalvingsFollow = kMostHalvings + 1;

void put_contacts(Encoder& w, const WorldData& data) {
  const std::vector<uint8_t>& halvings = data.halvings;
  const bool halved =
      std::any_of(halvings.begin(), halvings.end(), [](uint8_t n) { return n > 0; });
  w.u8(static_cast<uint8_t>((data.contacts_stale ? 1 : 0) | (halved ? kHalvingsFollow << 1 : 0)));
  for (size_t i = 0; halved && i < data.state.size(); ++i) {
    w.u8(i < halvings.size() ? halvings[i] : uint8_t{0});
  }
  put_list(w, data.contacts);
  put_list(w, data.ended);
  w.u32(static_cast<uint32_t>(data.pushes.size()));
  for (const Push& p : data.pushes) {
    w.u32(p.body_a);
    w.u32(p.body_b);
    put(w, p.impulse_W);
    w.f64(p.normal);
  }
  w.u32(static_cast<uint32_t>(data.touches.size()));
  for (const Touch& t : data.touches) {
    w.u32(t.body_a);
    w.u32(t.body_b);
    w.f64(t.distance);
    w.u8(static_cast<uint8_t>(t.kind));
  }
}

bool get_contacts(Decoder& r, const WorldData& data, SavedContacts& out) {
  const size_t slots = data.state.size();
  const uint8_t flags = r.u8();
  out.stale = (flags & 1) != 0;
  const int halvings = flags >> 1;
  if (halvings > kHalvingsFollow) return false;
  if (halvings > 0) out.halvings.assign(slots, static_cast<uint8_t>(halvings));
  for (size_t i = 0; halvings == kHalvingsFollow && i < slots && r.ok(); ++i) {
    out.halvings[i] = r.u8();
    if (out.halvings[i] > kMostHalvings) return false;
  }
  return get_list(r, data, out.contacts) && get_list(r, data, out.ended) &&
         get_pushes(r, slots, out.pushes) && get_touches(r, slots, out.touches);
}

}  // namespace tenon
