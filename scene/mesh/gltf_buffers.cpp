#include "tenon/scene/mesh/gltf_buffers.h"

#include <bit>
#include <optional>

#include "tenon/scene/formats/json_text.h"

namespace tenon::scene::detail {
namespace {

constexpr int kByte = 5121, kShort = 5123, kInt = 5125, kFloat = 5126;

size_t component_size(int component) {
  switch (component) {
    case 5120:
    case kByte:
      return 1;
    case 5122:
    case kShort:
      return 2;
    case kInt:
    case kFloat:
      return 4;
    default:
      return 0;
  }
}

std::optional<std::string> decode_base64(std::string_view text) {
  std::string out;
  out.reserve(text.size() / 4 * 3);
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    const int value = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (value < 0) return std::nullopt;
    bits = bits << 6 | static_cast<uint32_t>(value);
    if (++count % 4 == 0) {
      for (int shift = 16; shift >= 0; shift -= 8) out += static_cast<char>(bits >> shift & 0xff);
      bits = 0;
    }
  }
  if (count % 4 == 1) return std::nullopt;
  if (count % 4 == 2) out += static_cast<char>(bits >> 4 & 0xff);
  if (count % 4 == 3) {
    out += static_cast<char>(bits >> 10 & 0xff);
    out += static_cast<char>(bits >> 2 & 0xff);
  }
  return out;
}

// %20 and the like in a relative address.
std::string decode_uri(std::string_view uri) {
  std::string out;
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  for (size_t i = 0; i < uri.size(); ++i) {
    const bool escape =
        uri[i] == '%' && i + 2 < uri.size() && digit(uri[i + 1]) >= 0 && digit(uri[i + 2]) >= 0;
    out += escape ? static_cast<char>(16 * digit(uri[i + 1]) + digit(uri[i + 2])) : uri[i];
    if (escape) i += 2;
  }
  return out;
}

std::string shown(const Json* json) { return json ? format_short(*json) : "nothing"; }

uint32_t read_bits(std::string_view bytes, size_t at, size_t size) {
  uint32_t bits = 0;
  for (size_t i = 0; i < size; ++i)
    bits |= static_cast<uint32_t>(static_cast<uint8_t>(bytes[at + i])) << (8 * i);
  return bits;
}

}  // namespace

std::optional<size_t> to_count(const Json* json) {
  if (json == nullptr || !json->is_number()) return std::nullopt;
  const double n = json->number;
  if (!(n >= 0 && n < 4e9) || n != static_cast<double>(static_cast<size_t>(n))) return std::nullopt;
  return static_cast<size_t>(n);
}

Error GltfBuffers::wrong(const Json& place, std::string message, std::string accepted,
                         std::string value) const {
  return {.message = std::move(message),
          .file = name_,
          .line = place.place.line,
          .column = place.place.column,
          .value = std::move(value),
          .accepted = std::move(accepted)};
}

Error GltfBuffers::not_there(const Json* index, const Json& user, const char* section,
                             std::string what) const {
  const Json* list = root_.find(section);
  const size_t count = list && list->is_array() ? list->items.size() : 0;
  return wrong(index ? *index : user, what + " is not there",
               count == 0 ? std::string("a file with \"") + section + "\""
                          : "0 to " + std::to_string(count - 1),
               shown(index));
}

const Json* GltfBuffers::find(const char* section, const Json* index) const {
  const Json* list = root_.find(section);
  const std::optional<size_t> at = to_count(index);
  return list && list->is_array() && at && *at < list->items.size() ? &list->items[*at] : nullptr;
}

Status GltfBuffers::load() {
  const Json* list = root_.find("buffers");
  for (size_t i = 0; list && list->is_array() && i < list->items.size(); ++i) {
    const Json& buffer = list->items[i];
    const Json* uri = buffer.find("uri");
    std::string_view bytes = binary_;
    if (uri && uri->is_string() && uri->string.starts_with("data:")) {
      const size_t comma = uri->string.find(";base64,");
      auto decoded = comma == std::string::npos
                         ? std::nullopt
                         : decode_base64(std::string_view(uri->string).substr(comma + 8));
      if (!decoded) return wrong(*uri, "a buffer within the file cannot be decoded", "base64");
      kept_.push_back(std::make_shared<const std::string>(std::move(*decoded)));
      bytes = *kept_.back();
    } else if (uri && uri->is_string()) {
      // beside the file that names it
      const size_t slash = name_.rfind('/');
      const std::string folder = slash == std::string::npos ? "" : name_.substr(0, slash + 1);
      const std::string path = folder + decode_uri(uri->string);
      if (!read_)
        return wrong(*uri,
                     "the buffer '" + path + "' is a file of its own, which cannot be read here",
                     "a .glb file");
      Result<FileBytes> file = read_(path);
      if (!file) return file.error();
      kept_.push_back(*file);
      bytes = **file;
    }
    const std::optional<size_t> length = to_count(buffer.find("byteLength"));
    if (!length || *length > bytes.size())
      return wrong(buffer, "buffer " + std::to_string(i) + " is shorter than it claims to be",
                   std::to_string(bytes.size()) + " bytes", shown(buffer.find("byteLength")));
    buffers_.push_back(bytes.substr(0, *length));
  }
  return Ok{};
}

Result<size_t> GltfBuffers::offset(const Json& owner, const char* key) const {
  const Json* number = owner.find(key);
  if (number == nullptr) return size_t{0};
  if (const std::optional<size_t> count = to_count(number)) return *count;
  return wrong(*number, std::string(key) + " is no number of bytes", "a whole number from 0",
               shown(number));
}

// What the accessor reads, from its first byte to the end of its view.
Result<std::string_view> GltfBuffers::find_view(const Json& accessor, const Json*& view) const {
  view = find("bufferViews", accessor.find("bufferView"));
  if (!view)
    return not_there(accessor.find("bufferView"), accessor, "bufferViews",
                     "the buffer view of an accessor");
  const std::optional<size_t> buffer = to_count(view->find("buffer"));
  const std::optional<size_t> length = to_count(view->find("byteLength"));
  const Result<size_t> view_at = offset(*view, "byteOffset"), at = offset(accessor, "byteOffset");
  if (!view_at) return view_at.error();
  if (!at) return at.error();
  if (!buffer || *buffer >= buffers_.size())
    return not_there(view->find("buffer"), *view, "buffers", "the buffer of a buffer view");
  const std::string_view bytes = buffers_[*buffer];
  if (!length || *view_at > bytes.size() || *length > bytes.size() - *view_at)
    return wrong(*view, "a buffer view lies outside its buffer",
                 "up to byte " + std::to_string(bytes.size()),
                 shown(view->find("byteLength")) + " bytes from byte " + std::to_string(*view_at));
  if (*at > *length)
    return wrong(accessor, "an accessor begins behind its buffer view",
                 "up to " + std::to_string(*length), "byte " + std::to_string(*at));
  return bytes.substr(*view_at + *at, *length - *at);
}

Result<GltfBuffers::Span> GltfBuffers::find_span(const Json& accessor, const char* type,
                                                 size_t components) const {
  const Json* kind = accessor.find("type");
  const Json* component = accessor.find("componentType");
  const std::optional<size_t> count = to_count(accessor.find("count"));
  if (accessor.find("sparse") != nullptr)
    return wrong(accessor, "sparse accessors are not read", "the mesh written out");
  if (!count)
    return wrong(accessor, "the count of an accessor is none", "a whole number that fits a file",
                 shown(accessor.find("count")));
  if (!kind || kind->string != type || !component)
    return wrong(accessor, std::string("an accessor is not of the type ") + type, type,
                 shown(kind));
  const Json* view = nullptr;
  const Result<std::string_view> bytes = find_view(accessor, view);
  if (!bytes) return bytes.error();
  Span span;
  span.component = static_cast<int>(component->number);
  const size_t element = component_size(span.component) * components;
  if (element == 0)
    return wrong(*component, "unknown type of component", "5120 to 5123, 5125 or 5126",
                 shown(component));
  span.stride = to_count(view->find("byteStride")).value_or(element);
  if (span.stride < element || span.stride > 65536)
    return wrong(*view, "the stride of a buffer view does not fit",
                 std::to_string(element) + " to 65536", std::to_string(span.stride));
  span.count = *count;
  span.bytes = *bytes;
  const size_t room = bytes->size() < element ? 0 : (bytes->size() - element) / span.stride + 1;
  if (span.count == 0 || span.count > room)
    return wrong(
        accessor, "an accessor reaches beyond its buffer view, or has nothing",
        "1 to " + std::to_string(room) + " in its " + std::to_string(bytes->size()) + " bytes",
        "a count of " + std::to_string(span.count));
  return span;
}

Result<std::vector<Vec3>> GltfBuffers::points(const Json* index, const Json& user) const {
  const Json* accessor = find("accessors", index);
  if (!accessor) return not_there(index, user, "accessors", "the accessor of positions");
  const Result<Span> span = find_span(*accessor, "VEC3", 3);
  if (!span) return span.error();
  if (span->component != kFloat)
    return wrong(*accessor, "positions are packed (KHR_mesh_quantization)",
                 "plain floats (componentType 5126)", std::to_string(span->component));
  std::vector<Vec3> out(span->count);
  for (size_t i = 0; i < out.size(); ++i) {
    for (size_t k = 0; k < 3; ++k)
      out[i][static_cast<int>(k)] = static_cast<double>(
          std::bit_cast<float>(read_bits(span->bytes, i * span->stride + 4 * k, 4)));
    if (!is_finite(out[i]))
      return wrong(*accessor, "position " + std::to_string(i) + " is not finite");
  }
  return out;
}

Result<std::vector<uint32_t>> GltfBuffers::indices(const Json* index, const Json& user) const {
  const Json* accessor = find("accessors", index);
  if (!accessor) return not_there(index, user, "accessors", "the accessor of indices");
  const Result<Span> span = find_span(*accessor, "SCALAR", 1);
  if (!span) return span.error();
  if (span->component != kByte && span->component != kShort && span->component != kInt)
    return wrong(*accessor, "indices are no whole numbers", "componentType 5121, 5123 or 5125",
                 std::to_string(span->component));
  std::vector<uint32_t> out(span->count);
  for (size_t i = 0; i < out.size(); ++i)
    out[i] = read_bits(span->bytes, i * span->stride, component_size(span->component));
  return out;
}

}  // namespace tenon::scene::detail
