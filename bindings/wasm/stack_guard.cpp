// Debian's wasi-libc is compiled with stack protection but does not define its two symbols.
#include <cstdint>

extern "C" {
uintptr_t __stack_chk_guard = 0x9e3779b9u;
[[noreturn]] void __stack_chk_fail() { __builtin_trap(); }
}
