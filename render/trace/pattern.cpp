#include "tenon/render/trace/pattern.h"

#include "tenon/render/trace/sampler.h"

namespace tenon::render {
namespace {

float corner_value(int x, int y, int z) {
  const uint32_t h =
      mix_bits(static_cast<uint32_t>(x) * 0x8da6b343u ^ static_cast<uint32_t>(y) * 0xd8163841u ^
               static_cast<uint32_t>(z) * 0xcb1ab31fu);
  return static_cast<float>(h >> 8) * 0x1p-23f - 1;
}

// Several octaves, each half as strong.
float rough_noise(V3 p, int octaves) {
  float sum = 0, weight = 1, total = 0;
  for (int i = 0; i < octaves; ++i) {
    sum += weight * noise(p);
    total += weight;
    weight *= 0.5f;
    p = 2.03f * p + V3{17.3f, 5.1f, 9.7f};
  }
  return sum / total;
}

// Another cut from the same trunk or block for every body.
V3 shift_of(uint32_t seed) {
  const auto part = [&](uint32_t salt) {
    return static_cast<float>(mix_bits(seed + salt) >> 20) * (1.0f / 128);
  };
  return {part(1), part(2), part(3)};
}

int longest_axis(const Shape* shape) {
  if (shape == nullptr) return 1;
  if (const auto* box = std::get_if<Box>(shape)) {
    const Vec3& h = box->half;
    return h.x >= h.y && h.x >= h.z ? 0 : h.y >= h.z ? 1 : 2;
  }
  return 1;
}

// How much of a pattern is left that repeats every `size`.
float visible(float footprint, float size) {
  return 1 - smooth_step(0.25f, 1.0f, footprint / std::max(size, 1e-30f));
}

// Year rings about an axis that runs along the solid and a little beside it; early wood is light,
// late wood a narrow dark line; fibres along the grain.
void add_wood(const Hit& hit, float size, float footprint, Finish& finish) {
  const int axis = longest_axis(hit.shape);
  const V3 p{hit.local[(axis + 1) % 3] / size, hit.local[(axis + 2) % 3] / size,
             hit.local[axis] / size};
  const V3 shift = shift_of(hit.seed);
  const V3 slow{0.35f * p.x + shift.x, 0.35f * p.y + shift.y, 0.06f * p.z + shift.z};
  const float bend = 1.1f * rough_noise(slow, 2);
  const float x = p.x + 2.5f + 0.2f * shift.x, y = p.y - 4.5f - 0.2f * shift.y;
  const float rings = std::sqrt(x * x + y * y) + bend;
  const float phase = rings - std::floor(rings);
  // light at first, dark at the end of the year, then at once light again
  float late = smooth_step(0.35f, 0.92f, phase) * (1 - smooth_step(0.94f, 1.0f, phase));
  late *= visible(footprint, size);
  const float fibre =
      rough_noise({9 * p.x + shift.z, 9 * p.y, 0.35f * p.z}, 2) * visible(footprint, size / 9);
  const float tone = 0.5f * rough_noise({0.2f * p.x, 0.2f * p.y, 0.03f * p.z + shift.x}, 2);
  const V3 early = 1.18f * finish.color;
  const V3 dark = finish.color * V3{0.50f, 0.42f, 0.36f};
  finish.color = mix(early, dark, std::clamp(0.8f * late + 0.16f * fibre + 0.15f * tone, 0.f, 1.f));
  finish.roughness = std::clamp(finish.roughness + 0.12f * late - 0.1f, 0.05f, 1.0f);
  finish.tilt = 0.03f * V3{fibre, -fibre, fibre};
}

void add_stone(const Hit& hit, float size, float footprint, Finish& finish) {
  const V3 p = (1.4f / size) * hit.local + shift_of(hit.seed);
  const float clouds = rough_noise(p, 4);
  const float seen = visible(footprint, size / 10);
  const float grains = seen > 0 ? seen * rough_noise(7.0f * p, 2) : 0;
  const float vein = std::fabs(rough_noise(0.6f * p + V3{31, 7, 3}, 3));
  const float line = 1 - smooth_step(0.0f, 0.05f, vein);
  finish.color = (1 + 0.28f * clouds + 0.3f * grains) * finish.color;
  finish.color = mix(finish.color, 0.55f * finish.color, 0.5f * line);
  finish.tilt = 0.12f * V3{grains, clouds, -grains};
}

void add_brushing(const Hit& hit, float size, float footprint, Finish& finish) {
  const V3 p = (1 / size) * hit.local + shift_of(hit.seed);
  const float streaks = noise({2 * p.x, 60 * p.y, 60 * p.z}) * visible(footprint, size / 60);
  const float stains = rough_noise(0.8f * p, 3);
  finish.roughness = std::clamp(finish.roughness + 0.05f * streaks + 0.06f * stains, 0.02f, 1.0f);
  finish.color = (1 + 0.05f * streaks) * finish.color;
}

void add_ice(const Hit& hit, float size, Finish& finish) {
  const V3 p = (1.2f / size) * hit.local + shift_of(hit.seed);
  const float clouds = rough_noise(p, 3);
  finish.color = mix(finish.color, {0.95f, 0.97f, 1.0f}, std::clamp(0.5f * clouds, 0.0f, 0.4f));
  finish.tilt = 0.06f * V3{noise(1.7f * p), noise(1.9f * p + V3{5, 5, 5}), clouds};
}

// Fields of a floor, with a fine joint between them; averaged where they are too small to see.
void add_checker(const Hit& hit, float size, float footprint, Finish& finish) {
  const float seen = 1 - smooth_step(0.3f, 1.2f, footprint / size);
  const float u = hit.local.x / size, v = hit.local.z / size;
  // also where fields have no number any more
  if (!(seen > 0) || !(std::fabs(u) < 1e7f) || !(std::fabs(v) < 1e7f)) {
    finish.color = 0.92f * finish.color;
    return;
  }
  const bool odd = (static_cast<int64_t>(std::floor(u)) + static_cast<int64_t>(std::floor(v))) & 1;
  const float field = odd ? 0.84f : 1.0f;
  const float du = std::fabs(u - std::floor(u + 0.5f)), dv = std::fabs(v - std::floor(v + 0.5f));
  const float joint = 1 - smooth_step(0.006f, 0.012f, std::min(du, dv));
  const float fine = visible(footprint, 0.02f * size);
  finish.color = mix(0.92f, field, seen) * (1 - 0.3f * joint * fine) * finish.color;
}

}  // namespace

float noise(const V3& p) {
  // rounding down by a cast is several times faster than std::floor without SSE 4.1
  const auto down = [](float v) {
    const int i = static_cast<int>(std::clamp(v, -1e9f, 1e9f));
    return i - (static_cast<float>(i) > v ? 1 : 0);
  };
  const int x = down(p.x), y = down(p.y), z = down(p.z);
  const auto fx = static_cast<float>(x), fy = static_cast<float>(y), fz = static_cast<float>(z);
  const auto ease = [](float s) { return s * s * s * (s * (6 * s - 15) + 10); };
  const float u = ease(p.x - fx), v = ease(p.y - fy), w = ease(p.z - fz);
  const auto edge = [&](int dy, int dz) {
    return mix(corner_value(x, y + dy, z + dz), corner_value(x + 1, y + dy, z + dz), u);
  };
  return mix(mix(edge(0, 0), edge(1, 0), v), mix(edge(0, 1), edge(1, 1), v), w);
}

Finish plain_finish(const Hit& hit) {
  return {to_v3(hit.look->color), static_cast<float>(hit.look->roughness), {}};
}

Finish find_finish(const Hit& hit, float footprint) {
  const StageLook& look = *hit.look;
  Finish finish = plain_finish(hit);
  const auto size = static_cast<float>(look.pattern_size);
  switch (look.pattern) {
    case Pattern::kWood:
      add_wood(hit, size, footprint, finish);
      break;
    case Pattern::kStone:
      add_stone(hit, size, footprint, finish);
      break;
    case Pattern::kBrushed:
      add_brushing(hit, size, footprint, finish);
      break;
    case Pattern::kIce:
      add_ice(hit, size, finish);
      break;
    case Pattern::kChecker:
      add_checker(hit, size, footprint, finish);
      break;
    case Pattern::kPlain:
    case Pattern::kGlass:
      break;
  }
  finish.color = {std::clamp(finish.color.x, 0.0f, 1.0f), std::clamp(finish.color.y, 0.0f, 1.0f),
                  std::clamp(finish.color.z, 0.0f, 1.0f)};
  return finish;
}

}  // namespace tenon::render
