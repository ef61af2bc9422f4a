// Colours a scene can name.
#pragma once

#include <array>

#include "tenon/scene/document/shape.h"

namespace tenon::scene {

struct NamedColor {
  const char* name;
  Color value;
};

constexpr Color rgb(int code) {
  return {((code >> 16) & 255) / 255.0, ((code >> 8) & 255) / 255.0, (code & 255) / 255.0};
}

inline constexpr std::array kNamedColors{
    NamedColor{"white", rgb(0xffffff)},  NamedColor{"silver", rgb(0xc0c0c0)},
    NamedColor{"gray", rgb(0x808080)},   NamedColor{"black", rgb(0x000000)},
    NamedColor{"red", rgb(0xd62728)},    NamedColor{"orange", rgb(0xff7f0e)},
    NamedColor{"yellow", rgb(0xf2c811)}, NamedColor{"green", rgb(0x2ca02c)},
    NamedColor{"teal", rgb(0x17a2a2)},   NamedColor{"cyan", rgb(0x22c7e0)},
    NamedColor{"blue", rgb(0x1f77b4)},   NamedColor{"navy", rgb(0x1b2a5b)},
    NamedColor{"purple", rgb(0x8250c4)}, NamedColor{"magenta", rgb(0xd33aa8)},
    NamedColor{"pink", rgb(0xf5a3c7)},   NamedColor{"brown", rgb(0x8c564b)},
};

}  // namespace tenon::scene
