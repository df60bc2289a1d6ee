//===- Kernels.cpp - what the fake driver launches ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector additions and copies, right and wrong in the ways that the runner must notice, and kernels that
// never end well.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

static void addVectors(void **parameters, int64_t first, int64_t last) {
  const float *a = *static_cast<const float **>(parameters[0]),
              *b = *static_cast<const float **>(parameters[1]);
  float *c = *static_cast<float **>(parameters[2]);
  for (int64_t i = first; i < last; ++i)
    c[i] = a[i] + b[i];
}

bool runFakeKernel(const std::string &name, void **parameters) {
  auto is = [&](const char *prefix) { return name.rfind(prefix, 0) == 0; };
  if (is("fault"))
    return false;
  if (is("crash"))
    abort();
  while (is("hang"))
    sleep(1);
  if (is("copy_bytes") || is("two_bytes")) { // A, C, bytes
    void *from = *static_cast<void **>(parameters[0]), *to = *static_cast<void **>(parameters[1]);
    auto bytes = static_cast<size_t>(*static_cast<int64_t *>(parameters[2]));
    is("copy_bytes") ? memcpy(to, from, bytes) : memset(to, 2, bytes);
    return true;
  }
  if (!is("vector_add") && !is("short_add") && !is("long_add") && !is("early_add") && !is("input_add"))
    return true;
  int64_t n = *static_cast<int64_t *>(parameters[3]);
  float *c = *static_cast<float **>(parameters[2]);
  addVectors(parameters, 0, is("short_add") ? n - 1 : n); // short_add: forgets the last element
  if (is("long_add"))                                     // writes behind its output
    c[n] = 0;
  if (is("early_add")) // and before it
    c[-1] = 0;
  if (is("input_add")) // changes an input
    const_cast<float *>(*static_cast<const float **>(parameters[0]))[0] += 1;
  return true;
}
