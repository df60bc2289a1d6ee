# Finds LLVM/MLIR 22.1 and sets what LLVM's own CMake modules need.
# This is the only file that knows where and how Debian packages them.

# The version file accepts an equal major.minor only ("22" alone is refused), and /usr/lib/llvm-22 is
# not on CMake's search path.
find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22)
message(STATUS "MLIR ${LLVM_PACKAGE_VERSION} from ${MLIR_DIR}")

# Debian ships lit as bin/lit, LLVMConfig.cmake points at bin/llvm-lit.
set(LLVM_EXTERNAL_LIT "${LLVM_TOOLS_BINARY_DIR}/lit" CACHE FILEPATH "lit driver")

# An installed LLVM does not name its tblgen (the option table of tilec goes through it).
set(LLVM_TABLEGEN_EXE "${LLVM_TOOLS_BINARY_DIR}/llvm-tblgen")

set(MLIR_LINK_MLIR_DYLIB ${TILEC_LINK_MLIR_DYLIB})
set(LLVM_RUNTIME_OUTPUT_INTDIR ${CMAKE_BINARY_DIR}/bin)
set(LLVM_LIBRARY_OUTPUT_INTDIR ${CMAKE_BINARY_DIR}/lib)
set(MLIR_BINARY_DIR ${CMAKE_BINARY_DIR})

# libMLIR is not in the loader cache, so installed tools need its folder; must precede every target.
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib;${LLVM_LIBRARY_DIR}")

list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND ${LLVM_DEFINITIONS})
add_definitions(${LLVM_DEFINITIONS_LIST})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
include(HandleLLVMOptions)
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})

if(NOT TILEC_LINK_MLIR_DYLIB)
  # LLVMConfig.cmake sets LLVM_LINK_LLVM_DYLIB to ON whatever the command line says, and every exported
  # MLIR target names the shared LLVM in its link interface: replace it by the component archives.
  set(LLVM_LINK_LLVM_DYLIB OFF)
  llvm_map_components_to_libnames(_tilec_llvm_archives
    core support irreader nvptxcodegen nvptxdesc nvptxinfo target passes asmparser bitwriter bitreader
    targetparser frontendopenmp frontendoffloading frontendatomic remarks supportlsp analysis
    transformutils mc linker ipo orcjit executionengine)
  foreach(_target ${MLIR_EXPORTED_TARGETS})
    get_target_property(_type ${_target} TYPE)
    if(_type STREQUAL STATIC_LIBRARY)
      get_target_property(_libs ${_target} INTERFACE_LINK_LIBRARIES)
      if("LLVM" IN_LIST _libs)
        list(REMOVE_ITEM _libs LLVM)
        set_target_properties(${_target} PROPERTIES
          INTERFACE_LINK_LIBRARIES "${_libs};${_tilec_llvm_archives}")
      endif()
    endif()
  endforeach()
endif()
