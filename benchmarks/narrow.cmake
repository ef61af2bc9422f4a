tenon_bench(narrow_bench LAYERS narrow SOURCES narrow_bench.cpp)
