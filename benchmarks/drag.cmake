# Milliseconds per move of a dragged mechanism with closed loops.
add_executable(drag_table ${CMAKE_CURRENT_LIST_DIR}/drag_table.cpp)
tenon_link_layers(drag_table world)
