# Batches: sources that are compiled as one (unity builds). Compile time is mostly spent on headers and template
# instantiation, which a batch does once. Names local to a file are therefore unique in its library (test/structure).
# TILEGPT_BATCHES=OFF compiles the same files one by one.
set(TILEGPT_BATCH_SIZE 10)

# Sets `result` to the batches that library `name` compiles instead of SOURCE…: full batches of each folder, then the
# remaining sources of all folders, so that a new file changes the batches of its folder and of the remaining sources only.
# Generated sources are kept.
function(tilegpt_batch_sources result name)
  set(folders "")
  set(compiled "")
  foreach(source ${ARGN})
    if(IS_ABSOLUTE ${source} OR NOT TILEGPT_BATCHES)
      list(APPEND compiled ${source})
    else()
      cmake_path(GET source PARENT_PATH folder)
      list(APPEND folders "./${folder}")
      list(APPEND "sources ./${folder}" ${source})
    endif()
  endforeach()

  list(REMOVE_DUPLICATES folders)
  set(remaining "")
  foreach(folder ${folders})
    tilegpt_cut_batches(batches "${sources\ ${folder}}" ${name}/${folder} ${TILEGPT_BATCH_SIZE})
    list(APPEND compiled ${batches})
    list(APPEND remaining ${uncut})
  endforeach()
  tilegpt_cut_batches(batches "${remaining}" ${name}/Remaining 1)
  set(${result} ${compiled} ${batches} PARENT_SCOPE)
endfunction()

# Cuts batches off a list of sources while it has at least `least`; sets `result` to the files to compile and `uncut` to
# the sources that are left.
function(tilegpt_cut_batches result sources folder least)
  set(compiled "")
  set(number 0)
  list(LENGTH sources count)
  while(count GREATER_EQUAL least)
    list(SUBLIST sources 0 ${TILEGPT_BATCH_SIZE} batch)
    list(REMOVE_ITEM sources ${batch})
    list(LENGTH sources count)
    list(LENGTH batch size)
    if(size EQUAL 1)
      list(APPEND compiled ${batch})
    else()
      math(EXPR number "${number} + 1")
      tilegpt_write_batch(file ${folder}/Batch${number}.cpp ${batch})
      list(APPEND compiled ${file})
    endif()
  endwhile()
  set(${result} ${compiled} PARENT_SCOPE)
  set(uncut ${sources} PARENT_SCOPE)
endfunction()

# Writes a batch to the caller's build folder and sets `result` to its path. Paths in it are relative to the source
# folder, so that other checkouts share ccache entries.
function(tilegpt_write_batch result path)
  cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR} NORMALIZE)
  set(text "")
  foreach(source ${ARGN})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    if(NOT EXISTS ${source})
      message(FATAL_ERROR "expected a source at ${source}, which ${CMAKE_CURRENT_SOURCE_DIR}/CMakeLists.txt lists")
    endif()
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(APPEND text "#include \"${source}\"\n")
  endforeach()
  file(CONFIGURE OUTPUT ${path} CONTENT "${text}" @ONLY)
  set(${result} ${path} PARENT_SCOPE)
endfunction()
