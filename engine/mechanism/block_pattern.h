// Symbolic factorisation of a block-sparse matrix: elimination order, fill, and where every block
// lives. Depends on the graph alone, so it is made once per topology and used every step.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace tenon {

// An undirected graph over nodes with a number of scalar rows each (1 ... 6).
struct BlockGraph {
  std::vector<uint8_t> size;                         // rows of each node
  std::vector<std::pair<uint32_t, uint32_t>> edges;  // a != b; repeats allowed
  // Nodes without a pivot of their own: such a node is eliminated only after one of `after`'s
  // nodes. Empty for most graphs.
  std::vector<std::pair<uint32_t, uint32_t>> after;  // (node, a node that gives it a pivot)
};

// Columns are in elimination order; `node[c]` is the graph's node of column c. Below the diagonal
// of column c stand the blocks first[c] ... first[c+1]-1 with rows `row[.]` (ascending). Block b
// has its m_row x m_col numbers at offset[b] of the lower store, and the transposed-shaped block
// above the diagonal at the same offset of the upper store.
struct BlockPattern {
  std::vector<uint32_t> node, column;  // column -> node, node -> column
  std::vector<uint8_t> size;           // of each column
  uint8_t uniform = 0;                 // common size of all columns, 0 if they differ
  std::vector<uint32_t> first, row;
  std::vector<uint32_t> offset;        // of each block below the diagonal
  std::vector<uint32_t> diagonal;      // offset of each column's square block
  std::vector<uint32_t> vector;        // offset of each column in a vector
  std::vector<uint32_t> target;        // see BlockLu: block (row p, row q) per pair p > q
  std::vector<uint32_t> target_first;  // of each column
  uint32_t store = 0, diagonal_store = 0, rows = 0;  // numbers of doubles

  // The block of two nodes that share an edge: index, and whether `a` is its row (the later one).
  struct Place {
    uint32_t block;
    bool a_is_row;
  };
  Place find(uint32_t node_a, uint32_t node_b) const;
};

// Order: approximate minimum degree (Amestoy, Davis, Duff 1996, as in Eigen), which leaves trees
// without fill and planar nets with about n log n blocks.
BlockPattern make_block_pattern(const BlockGraph& graph);

}  // namespace tenon
