#include "tenon/recording/detail/crc32c.h"

#include <array>

namespace tenon::recording_detail {
namespace {

// Slicing by eight: table[k][b] is the effect of byte b followed by k zero bytes.
// Reflected polynomial of CRC-32C.
constexpr std::array<std::array<uint32_t, 256>, 8> make_tables() {
  std::array<std::array<uint32_t, 256>, 8> table{};
  for (uint32_t b = 0; b < 256; ++b) {
    uint32_t crc = b;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) ? 0x82f63b78u : 0u);
    table[0][b] = crc;
  }
  for (size_t k = 1; k < 8; ++k)
    for (size_t b = 0; b < 256; ++b)
      table[k][b] = (table[k - 1][b] >> 8) ^ table[0][table[k - 1][b] & 0xff];
  return table;
}
constexpr auto kTable = make_tables();

}  // namespace

uint32_t crc32c(std::span<const std::byte> bytes, uint32_t crc) {
  crc = ~crc;
  const std::byte* p = bytes.data();
  size_t left = bytes.size();
  const auto at = [&](size_t i) { return static_cast<uint32_t>(p[i]); };
  for (; left >= 8; left -= 8, p += 8) {
    const uint32_t low = crc ^ (at(0) | at(1) << 8 | at(2) << 16 | at(3) << 24);
    crc = kTable[7][low & 0xff] ^ kTable[6][(low >> 8) & 0xff] ^ kTable[5][(low >> 16) & 0xff] ^
          kTable[4][low >> 24] ^ kTable[3][at(4)] ^ kTable[2][at(5)] ^ kTable[1][at(6)] ^
          kTable[0][at(7)];
  }
  for (; left > 0; --left, ++p) crc = (crc >> 8) ^ kTable[0][(crc ^ at(0)) & 0xff];
  return ~crc;
}

}  // namespace tenon::recording_detail
