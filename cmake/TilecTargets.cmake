# Wrappers for the project's own targets. Every library and tool goes through these, so that flags,
# precompiled headers and the way MLIR is linked are decided once.
#
#   tilec_add_library(TilecFoo SOURCES a.cpp b.cpp [PCH ir|lowering] [DEPENDS IncGen…]
#                     [LINK TilecBar…] [MLIR MLIRIR…] [LLVM Support…] [COVERAGE])
#   tilec_add_tool(name SOURCES … [the same])
#   tilec_add_unittest(name SOURCES … [the same])     a GoogleTest program registered with CTest
#
# LINK names our own targets, MLIR the MLIR libraries (never link those directly: with the shared library
# that would give two copies), LLVM the LLVM components. COVERAGE: measured when TILEC_COVERAGE is on.

# Two precompiled headers: 'ir' for code over the dialect and passes, 'lowering' for the conversion to
# NVVM and LLVM, whose headers cost 12 s a file otherwise.
set(_tilec_pch_ir
  <mlir/IR/Builders.h> <mlir/IR/BuiltinOps.h> <mlir/IR/BuiltinTypes.h> <mlir/IR/DialectImplementation.h>
  <mlir/IR/OpDefinition.h> <mlir/IR/OpImplementation.h> <mlir/IR/PatternMatch.h>
  <mlir/Bytecode/BytecodeOpInterface.h> <mlir/Interfaces/InferTypeOpInterface.h>
  <mlir/Interfaces/SideEffectInterfaces.h> <mlir/Interfaces/FunctionInterfaces.h> <mlir/Pass/Pass.h>
  <mlir/Dialect/Arith/IR/Arith.h> <mlir/Dialect/Math/IR/Math.h> <mlir/Dialect/SCF/IR/SCF.h>
  <llvm/ADT/TypeSwitch.h>)
set(_tilec_pch_lowering ${_tilec_pch_ir}
  <mlir/Dialect/LLVMIR/LLVMDialect.h> <mlir/Dialect/LLVMIR/NVVMDialect.h> <mlir/Dialect/GPU/IR/GPUDialect.h>
  <mlir/Transforms/DialectConversion.h>)

function(_tilec_make_pch kind)
  if(TILEC_PCH AND NOT TARGET tilec_pch_${kind})
    file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/pch/${kind}.cpp CONTENT "")
    add_library(tilec_pch_${kind} OBJECT ${CMAKE_BINARY_DIR}/pch/${kind}.cpp)
    llvm_update_compile_flags(tilec_pch_${kind})
    target_precompile_headers(tilec_pch_${kind} PRIVATE ${_tilec_pch_${kind}})
  endif()
endfunction()

function(_tilec_setup target)
  cmake_parse_arguments(ARG "COVERAGE" "PCH" "SOURCES;DEPENDS;LINK;MLIR;LLVM" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${target}: unknown arguments ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  llvm_update_compile_flags(${target})
  if(ARG_COVERAGE AND TILEC_COVERAGE)
    target_compile_options(${target} PRIVATE -fprofile-instr-generate=/dev/null -fcoverage-mapping)
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${target} ${ARG_DEPENDS})
  endif()
  if(ARG_PCH AND TILEC_PCH)
    _tilec_make_pch(${ARG_PCH})
    target_precompile_headers(${target} REUSE_FROM tilec_pch_${ARG_PCH})
  endif()
  target_link_libraries(${target} PUBLIC ${ARG_LINK})
  if(ARG_MLIR)
    mlir_target_link_libraries(${target} PUBLIC ${ARG_MLIR})
  endif()
  if(ARG_LLVM)
    if(TILEC_LINK_MLIR_DYLIB)
      target_link_libraries(${target} PUBLIC LLVM)
    else()
      llvm_map_components_to_libnames(_libs ${ARG_LLVM})
      target_link_libraries(${target} PUBLIC ${_libs})
    endif()
  endif()
endfunction()

function(tilec_add_library target)
  cmake_parse_arguments(ARG "COVERAGE" "PCH" "SOURCES;DEPENDS;LINK;MLIR;LLVM" ${ARGN})
  add_library(${target} STATIC ${ARG_SOURCES})
  _tilec_setup(${target} ${ARGN})
endfunction()

function(tilec_add_tool target)
  cmake_parse_arguments(ARG "COVERAGE" "PCH" "SOURCES;DEPENDS;LINK;MLIR;LLVM" ${ARGN})
  add_executable(${target} ${ARG_SOURCES})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
  _tilec_setup(${target} ${ARGN})
  install(TARGETS ${target} RUNTIME DESTINATION bin)
endfunction()

function(tilec_add_unittest target)
  cmake_parse_arguments(ARG "COVERAGE" "PCH" "SOURCES;DEPENDS;LINK;MLIR;LLVM" ${ARGN})
  add_executable(${target} ${ARG_SOURCES})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test/unit)
  _tilec_setup(${target} ${ARGN})
  target_link_libraries(${target} PRIVATE GTest::gtest_main)
  tilec_add_test(${target} COMMAND ${target})
  add_dependencies(tilec-tests ${target})
endfunction()

#   tilec_add_test(name COMMAND …)     add_test, with profiles for the coverage test where that is built
function(tilec_add_test name)
  add_test(NAME ${name} ${ARGN})
  if(TILEC_COVERAGE)
    set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED profiles
      ENVIRONMENT "LLVM_PROFILE_FILE=${CMAKE_BINARY_DIR}/profiles/${name}-%4m.profraw")
    set_property(GLOBAL APPEND PROPERTY TILEC_PROFILED_TESTS ${name})
  endif()
endfunction()

# A program that only tests run: in bin/ so that lit finds it, never installed.
function(tilec_add_test_tool target)
  cmake_parse_arguments(ARG "" "PCH" "SOURCES;DEPENDS;LINK;MLIR;LLVM" ${ARGN})
  add_executable(${target} ${ARG_SOURCES})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
  _tilec_setup(${target} ${ARGN})
  add_dependencies(tilec-tests ${target})
endfunction()
