# Programs that are compiled from the library's scenarios, with a source for each header of these.

# fencepost_list_of(<model> <variable>)
# Sets <variable> to the name, within fencepost::models, of the list that <model>.hpp ends with.
function(fencepost_list_of model variable)
  string(REGEX REPLACE "/(claims|faults)$" "_\\1" list ${model})
  string(REPLACE "/" "::" list ${list}_list)
  set(${variable} ${list} PARENT_SCOPE)
endfunction()

# fencepost_for_each_model(<target> <template> [FAULTS <template>] [LIBRARIES <target>...]
#                          [PRECOMPILE <header>...] [SEPARATE [ONLY <model>...]])
# Gives <target> one source for each header of scenarios that models/CMakeLists.txt names, made from
# <template>: @header@ is the header as it is included, @list@ its list of scenarios, and @id@ a
# name for it. With FAULTS, that template is used for headers of planted faults. The sources are
# compiled with LIBRARIES, and the headers of PRECOMPILE are parsed once; claims and faults of one
# component are compiled together, and share its instances. The target can include
# "every_model.inc", which has a line FENCEPOST_MODEL(id) for each model that it is built with.
#
# SEPARATE makes an object library of each source, so that <target> can be built with the models
# that ONLY names, and later with others, without compiling any of them twice. Without ONLY it is
# built with all.
function(fencepost_for_each_model target template)
  cmake_parse_arguments(PARSE_ARGV 2 arg "SEPARATE" "FAULTS" "LIBRARIES;PRECOMPILE;ONLY")
  get_property(models GLOBAL PROPERTY FENCEPOST_MODELS)
  foreach(model IN LISTS arg_ONLY)
    if(NOT model IN_LIST models)
      message(FATAL_ERROR "${target}: models/CMakeLists.txt has no model \"${model}\".")
    endif()
  endforeach()
  cmake_path(ABSOLUTE_PATH template OUTPUT_VARIABLE template)
  cmake_path(GET template PARENT_PATH beside)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}_of_models)
  set(sources "")
  set(every "")
  foreach(model IN LISTS models)
    set(header fencepost/models/${model}.hpp)
    string(REPLACE "/" "_" id ${model})
    fencepost_list_of(${model} list)
    string(PREPEND list fencepost::models::)
    set(used ${template})
    if(arg_FAULTS AND model MATCHES "/faults$")
      set(used ${arg_FAULTS})
    endif()
    configure_file(${used} ${folder}/${id}.cpp @ONLY)
    if(NOT arg_ONLY OR model IN_LIST arg_ONLY)
      string(APPEND every "FENCEPOST_MODEL(${id})\n")
    endif()
    if(NOT arg_SEPARATE)
      list(APPEND sources ${folder}/${id}.cpp)
      string(REGEX REPLACE "/(claims|faults)$" "" component ${model})
      string(REPLACE "/" "_" component ${component})
      set_source_files_properties(${folder}/${id}.cpp PROPERTIES UNITY_GROUP ${component})
      continue()
    endif()
    fencepost_objects_of_models(${target}_of_${id} ${folder}/${id}.cpp)
    set_target_properties(${target}_of_${id} PROPERTIES EXCLUDE_FROM_ALL ON)
    if(NOT arg_ONLY OR model IN_LIST arg_ONLY)
      target_link_libraries(${target} PRIVATE ${target}_of_${id})
    endif()
  endforeach()
  if(NOT arg_SEPARATE)
    fencepost_objects_of_models(${target}_of_models ${sources})
    fencepost_compile_together(${target}_of_models)
    target_link_libraries(${target} PRIVATE ${target}_of_models)
  endif()
  file(CONFIGURE OUTPUT ${folder}/every_model.inc CONTENT "${every}")
  target_include_directories(${target} PRIVATE ${folder})
endfunction()

# A part of fencepost_for_each_model, whose variables it uses.
macro(fencepost_objects_of_models objects)
  add_library(${objects} OBJECT ${ARGN})
  fencepost_target(${objects})
  target_include_directories(${objects} PRIVATE ${beside})
  target_link_libraries(${objects} PRIVATE Fencepost::models ${arg_LIBRARIES})
  if(arg_PRECOMPILE)
    fencepost_precompile(${objects} ${arg_PRECOMPILE})
  endif()
endmacro()
