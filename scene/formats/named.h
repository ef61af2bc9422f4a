// The words that descriptions of the format are made of: which struct, called what; which enum, in
// which words. Definitions of the schema and words in messages.
#pragma once

#include <concepts>
#include <type_traits>

namespace tenon::scene {

template <class T, class U>
concept Is = std::same_as<std::remove_const_t<T>, U>;

// What a raw value may be.
enum class RawKind { kExpression, kExpressionMap, kIndexMap };

template <class T>
struct Named;  // NAME and TEXT of each described struct
#define TENON_NAMED(Type, NAME, TEXT)         \
  template <>                                 \
  struct Named<Type> {                        \
    static constexpr const char* name = NAME; \
    static constexpr const char* text = TEXT; \
  };

// The words of an enum, in its order.
template <class E>
struct Words;
#define TENON_WORDS(Enum, ...)                           \
  template <>                                            \
  struct Words<Enum> {                                   \
    static constexpr const char* list[] = {__VA_ARGS__}; \
  };

}  // namespace tenon::scene
