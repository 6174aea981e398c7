# Script: writes OUTPUT, a C++ source that defines tilegpt::library::FUNCTION() as the texts of FILES (separated by commas).
string(REPLACE "," ";" FILES "${FILES}")
set(entries "")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME_WLE)
  file(READ ${file} text)
  string(APPEND entries "    {\"${name}\", R\"tilegpt(${text})tilegpt\"sv},\n")
endforeach()
set(source "// Generated from the files of the tree.
#include \"TileGPT/Library/Library.h\"

using namespace std::string_view_literals;

// The literals know their sizes: counting them takes more steps than a constant
// expression may.
static constexpr tilegpt::library::File files[] = {
${entries}};

std::span<const tilegpt::library::File> tilegpt::library::${FUNCTION}() { return files; }
")
file(WRITE ${OUTPUT} "${source}")
