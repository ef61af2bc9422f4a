# Writes a C++ file that holds every gallery scene as text, so that the tenon command works from
# any folder; a scene in a folder of the gallery has the folder in its name, as in bench/s2.
# Run as a script: cmake -DFOLDER=... -DOUTPUT=... -P embed_gallery.cmake
file(GLOB_RECURSE scenes RELATIVE ${FOLDER} ${FOLDER}/*.json)
list(SORT scenes)
set(code "// Made from the gallery by cmake/embed_gallery.cmake.\n")
string(APPEND code "#include \"tenon/cli/gallery.h\"\n\nnamespace tenon::cli {\n\n")
string(APPEND code "const std::vector<GalleryScene>& gallery() {\n")
string(APPEND code "  static const std::vector<GalleryScene> scenes{\n")
foreach(scene IN LISTS scenes)
  string(REGEX REPLACE "\\.json$" "" name ${scene})
  file(READ ${FOLDER}/${scene} text)
  string(APPEND code "      {\"${name}\", R\"~tenon~(${text})~tenon~\"},\n")
endforeach()
string(APPEND code "  };\n  return scenes;\n}\n\n}  // namespace tenon::cli\n")
file(WRITE ${OUTPUT} "${code}")
