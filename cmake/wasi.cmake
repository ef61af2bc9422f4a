# Toolchain file for WebAssembly: clang-19 with Debian's wasi-libc (libc++-19-dev-wasm32,
# libc++abi-19-dev-wasm32, libclang-rt-19-dev-wasm32, lld-19, wasi-libc).
#   cmake --preset wasm && cmake --build --preset wasm
# There are no exceptions, no threads, no files and no third-party libraries on this target.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(TENON_WASM ON)

set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_CXX_FLAGS_INIT -fno-exceptions)
# A reactor is a module of functions to call, without main. The stack is 64 kB by default, too small
# for the larger solves.
set(CMAKE_EXE_LINKER_FLAGS_INIT
    "-mexec-model=reactor -Wl,--strip-all -Wl,-z,stack-size=1048576")

set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE NEVER)

# Programs that need files or a test framework are built natively only.
set(TENON_BUILD_CLI OFF CACHE BOOL "Build the tenon command")
set(TENON_BUILD_TESTS OFF CACHE BOOL "Build the tests")
set(TENON_BUILD_BENCHMARKS OFF CACHE BOOL "Build the benchmarks")
