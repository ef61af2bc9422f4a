// Distance fields as bytes: a fixed head, the nodes, the samples.
#include <cmath>
#include <cstring>
#include <string>

#include "tenon/engine/base/hash.h"
#include "tenon/engine/geometry/distance_field.h"

namespace tenon {
namespace {

struct Head {
  char magic[8];
  uint64_t hash;  // of all that follows
  uint64_t nodes, bricks;
  double cell, error, band, root;
  double lo[3], hi[3];
  int32_t counts[3];
  int32_t unused;
};
static_assert(sizeof(Head) == 128);
constexpr char kMagic[8] = {'T', 'N', 'F', 'I', 'E', 'L', 'D', '1'};

uint64_t calc_hash(std::span<const std::byte> bytes) {
  Hasher h;
  uint64_t word = 0;
  size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::memcpy(&word, bytes.data() + i, 8);
    h.add(word);
  }
  h.add(bytes.subspan(i));
  return h.value();
}

Error damaged(const char* what) {
  return {.message = std::string("the bytes of a distance field are damaged: ") + what};
}

// Each node leads to a brick that is there or to children further on, so that every way down ends.
bool lead_somewhere(std::span<const int32_t> nodes, size_t bricks) {
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i] < 0 && static_cast<size_t>(~nodes[i]) >= bricks) return false;
    if (nodes[i] >= 0 &&
        (static_cast<size_t>(nodes[i]) <= i || static_cast<size_t>(nodes[i]) + 8 > nodes.size()))
      return false;
  }
  return true;
}

bool is_sane(const Head& head) {
  const double all[] = {head.cell,  head.error, head.band,  head.root,  head.lo[0],
                        head.lo[1], head.lo[2], head.hi[0], head.hi[1], head.hi[2]};
  for (const double x : all)
    if (!std::isfinite(x)) return false;
  double roots = 1;
  for (const int32_t n : head.counts) {
    if (n < 1) return false;
    roots *= n;
  }
  return head.root > 0 && head.cell > 0 && roots <= static_cast<double>(head.nodes) &&
         head.nodes < (1u << 28) && head.bricks < (1u << 21) && head.bricks > 0;
}

}  // namespace

std::vector<std::byte> encode_field(const DistanceField& f) {
  Head head{};
  std::memcpy(head.magic, kMagic, 8);
  head.nodes = f.nodes_.size();
  head.bricks = f.brick_count();
  head.cell = f.cell_, head.error = f.error_, head.band = f.band_, head.root = f.root_;
  for (int k = 0; k < 3; ++k) {
    head.lo[k] = f.bounds_.lo[k];
    head.hi[k] = f.bounds_.hi[k];
    head.counts[k] = f.counts_[static_cast<size_t>(k)];
  }
  const size_t nodes = f.nodes_.size() * sizeof(int32_t),
               samples = f.samples_.size() * sizeof(float);
  std::vector<std::byte> bytes(sizeof head + nodes + samples);
  std::memcpy(bytes.data() + sizeof head, f.nodes_.data(), nodes);
  std::memcpy(bytes.data() + sizeof head + nodes, f.samples_.data(), samples);
  std::memcpy(bytes.data(), &head, sizeof head);
  head.hash = calc_hash(std::span(bytes).subspan(16));
  std::memcpy(bytes.data(), &head, sizeof head);
  return bytes;
}

Result<DistanceField> decode_field(std::span<const std::byte> bytes) {
  Head head{};
  if (bytes.size() < sizeof head) return damaged("too short");
  std::memcpy(&head, bytes.data(), sizeof head);
  if (std::memcmp(head.magic, kMagic, 8) != 0) return damaged("another kind of file, or older");
  if (!is_sane(head)) return damaged("its sizes make no sense");
  const auto node_count = static_cast<size_t>(head.nodes);
  const auto bricks = static_cast<size_t>(head.bricks);
  const size_t nodes = node_count * sizeof(int32_t);
  const size_t samples = bricks * DistanceField::kBrickSamples * sizeof(float);
  if (bytes.size() != sizeof head + nodes + samples) return damaged("too short or too long");
  if (calc_hash(bytes.subspan(16)) != head.hash) return damaged("its check sum is wrong");
  DistanceField f;
  f.cell_ = head.cell, f.error_ = head.error, f.band_ = head.band, f.root_ = head.root;
  f.bounds_ = {{head.lo[0], head.lo[1], head.lo[2]}, {head.hi[0], head.hi[1], head.hi[2]}};
  for (size_t k = 0; k < 3; ++k) f.counts_[k] = head.counts[k];
  f.nodes_.resize(node_count);
  std::memcpy(f.nodes_.data(), bytes.data() + sizeof head, nodes);
  f.samples_.resize(bricks * DistanceField::kBrickSamples);
  std::memcpy(f.samples_.data(), bytes.data() + sizeof head + nodes, samples);
  if (!lead_somewhere(f.nodes_, bricks)) return damaged("a node leads nowhere");
  f.make_starts();
  return f;
}

}  // namespace tenon
