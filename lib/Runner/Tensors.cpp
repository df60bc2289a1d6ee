//===- Tensors.cpp - the arguments of a launch in device memory -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every byte of an allocation is known before the launch, so afterwards every byte that is not an expected
// output can be compared: a stray write is found wherever it falls near a tensor.
//
//===----------------------------------------------------------------------===//

#include "Tensors.h"
#include "tilec/Check/Compare.h"
#include <algorithm>
#include <cstring>
#include <new>
#include <thread>

using namespace tilec;
using namespace tilec::runner;

static constexpr uint64_t canaryBytes = 256; // keeps the data aligned to 256 bytes
static constexpr char canary = '\x5c';

/// Large tensors are made by all cores; pieces begin at even elements, since two of a 4-bit type share a
/// byte.
static void generateAll(ElementKind kind, void *data, int64_t count, uint64_t seed, uint64_t tensor,
                        const check::Range *range) {
  constexpr int64_t piece = int64_t(1) << 20;
  unsigned workers = count > piece ? std::max(1u, std::thread::hardware_concurrency()) : 1;
  auto work = [=](unsigned worker) {
    for (int64_t first = worker * piece; first < count; first += workers * piece)
      check::generate(kind, data, first, std::min(piece, count - first), seed, tensor, range);
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < workers; ++i)
    threads.emplace_back(work, i);
  work(0);
  for (std::thread &thread : threads)
    thread.join();
}

bool HostBuffer::allocate(uint64_t wanted) {
  bytes.reset(new (std::nothrow) char[wanted]);
  size = bytes ? wanted : 0;
  return bytes != nullptr;
}

uint64_t Tensor::allocationBytes() const { return first + dataBytes + canaryBytes; }

bool Tensors::makeInitial(Tensor &tensor) {
  if (!tensor.initial.allocate(tensor.allocationBytes())) {
    device.error = "no memory on the host for the " + std::to_string(tensor.allocationBytes()) + " bytes of '" +
                 tensor.param->name + "'";
    return false;
  }
  char *bytes = tensor.initial.bytes.get(), *data = bytes + tensor.first;
  memset(bytes, canary, tensor.first);
  memset(data + tensor.dataBytes, canary, canaryBytes);
  if (tensor.dataBytes) // an odd number of 4-bit elements leaves half of the last byte
    data[tensor.dataBytes - 1] = canary;
  if (tensor.param->access == launch::Access::Out)
    check::poison(tensor.kind, data, tensor.span);
  else
    generateAll(tensor.kind, data, tensor.span, seed, tensor.number,
                tensor.argument->range ? &*tensor.argument->range : nullptr);
  return true;
}

Tensors::Tensors(Device &device, const ManifestEntry &entry, const std::vector<Argument> &arguments,
                 uint64_t seed)
    : device(device), seed(seed) {
  for (size_t i = 0; i != entry.params.size(); ++i) {
    const launch::Param &param = entry.params[i];
    const Argument &argument = arguments[i];
    if (!param.isTensor) {
      values.push_back({argument.integer, argument.real});
      continue;
    }
    Tensor &tensor = tensors.emplace_back();
    tensor.param = &param;
    tensor.argument = &argument;
    parseElementKind(param.element->name, tensor.kind);
    tensor.span = *storageSpan(argument.extents, argument.strides);
    tensor.first = canaryBytes + static_cast<uint64_t>(storageBytes(tensor.kind, argument.offset));
    tensor.dataBytes = static_cast<uint64_t>(storageBytes(tensor.kind, tensor.span));
    tensor.number = i;
    pointers.push_back({values.size(), tensors.size() - 1});
    values.push_back({});
    for (int64_t extent : argument.extents)
      values.push_back({extent, 0});
    for (int64_t stride : argument.strides)
      values.push_back({stride, 0});
  }
}

Tensors::~Tensors() {
  for (Tensor &tensor : tensors)
    if (tensor.allocation && !device.isLost)
      device.free(tensor.allocation);
}

bool Tensors::checkFits() {
  uint64_t available;
  if (!device.freeBytes(available))
    return false;
  if (allocationBytes() > available) {
    device.error = "the tensors have " + std::to_string(allocationBytes()) + " bytes, but only " +
                 std::to_string(available) + " of the GPU's memory are free";
    return false;
  }
  return true;
}

bool Tensors::upload() {
  if (!checkFits())
    return false;
  for (Tensor &tensor : tensors)
    if (!makeInitial(tensor) || !device.allocate(tensor.allocation, tensor.initial.size) ||
        !device.copyToDevice(tensor.allocation, tensor.initial.bytes.get(), tensor.initial.size))
      return false;
  describeAll();
  return true;
}

void Tensors::describeAll() {
  for (const Tensor &tensor : tensors)
    device.describe({tensor.param->name, tensor.pointer(), tensor.dataBytes, tensor.kind, tensor.param->access});
}

bool Tensors::upload(const Tensors &like) {
  if (!checkFits())
    return false;
  for (size_t i = 0; i != tensors.size(); ++i) {
    const HostBuffer &initial = like.tensors[i].initial;
    if (!device.allocate(tensors[i].allocation, initial.size) ||
        !device.copyToDevice(tensors[i].allocation, initial.bytes.get(), initial.size))
      return false;
  }
  describeAll();
  return true;
}

std::string_view Tensors::inputData() const {
  std::string_view largest;
  for (const Tensor &tensor : tensors)
    if (tensor.param->access != launch::Access::Out && tensor.dataBytes > largest.size())
      largest = {tensor.initial.bytes.get() + tensor.first, tensor.dataBytes};
  return largest;
}

std::vector<Value> Tensors::arguments() const {
  std::vector<Value> result = values;
  for (auto [value, tensor] : pointers)
    result[value].integer = static_cast<int64_t>(tensors[tensor].pointer());
  return result;
}

uint64_t Tensors::bytes() const {
  uint64_t total = 0;
  for (const Tensor &tensor : tensors)
    total += tensor.dataBytes;
  return total;
}

uint64_t Tensors::allocationBytes() const {
  uint64_t total = 0;
  for (const Tensor &tensor : tensors)
    if (__builtin_add_overflow(total, tensor.allocationBytes(), &total))
      return UINT64_MAX;
  return total;
}

/// "C[3, 17]" for an element of the storage; of a strided tensor "C at element 1234".
static std::string elementName(const Tensor &tensor, int64_t element) {
  if (!tensor.argument->strides.empty())
    return tensor.param->name + " at element " + std::to_string(element);
  std::string text;
  for (size_t i = tensor.argument->extents.size(); i-- > 0;) {
    int64_t extent = tensor.argument->extents[i];
    text = std::to_string(element % extent) + (text.empty() ? "" : ", ") + text;
    element /= extent;
  }
  return tensor.param->name + "[" + text + "]";
}

/// Puts `count` elements from `start` behind the `at` that are there.
static void append(ElementKind kind, std::string &to, int64_t at, const char *from, int64_t start,
                   int64_t count) {
  to.resize(static_cast<size_t>(storageBytes(kind, at + count)));
  if (elementInfo(kind).storageBits < 8) {
    for (int64_t i = 0; i != count; ++i)
      storeInteger(kind, to.data(), at + i, loadInteger(kind, from, start + i));
    return;
  }
  std::memcpy(to.data() + storageBytes(kind, at), from + storageBytes(kind, start),
              static_cast<size_t>(storageBytes(kind, count)));
}

static std::string number(double value) {
  char text[40];
  snprintf(text, sizeof text, "%.9g", value);
  return std::isnan(value) ? "nan" : text; // printf shows the sign of a NaN
}

/// The name of an element, by its number among the elements of all blocks.
static std::string nameInBlocks(const Tensor &tensor, const Expected &expected, int64_t index) {
  for (const ExpectedBlock &block : expected.blocks) {
    if (index < block.count)
      return elementName(tensor, block.start + index);
    index -= block.count;
  }
  return tensor.param->name;
}

static std::string describeStray(const std::string &where, const check::Stray &stray, int64_t count,
                                 const std::string &got) {
  char text[160];
  const char *what = "was not written";
  if (stray.kind == check::Stray::Kind::Written)
    what = "was written, though nothing is to be written there";
  char byte[64];
  if (stray.kind == check::Stray::Kind::NoBool) {
    snprintf(byte, sizeof byte, "is the byte %u, neither false nor true",
             static_cast<unsigned char>(got[static_cast<size_t>(stray.first)]));
    what = byte;
  }
  snprintf(text, sizeof text, " %s, as %lld of %lld elements", what, static_cast<long long>(stray.count),
           static_cast<long long>(count));
  return where + text;
}

static std::string compareOutput(const Tensor &tensor, const char *data, const Expected &expected,
                                 double &relativeError) {
  std::string got, want;
  int64_t count = 0;
  for (const ExpectedBlock &block : expected.blocks) {
    append(tensor.kind, got, count, data, block.start, block.count);
    append(tensor.kind, want, count, block.bytes.data(), 0, block.count);
    count += block.count;
  }
  check::Comparison result = check::compare(tensor.kind, got.data(), want.data(), count, expected.tolerance);
  relativeError = std::max(relativeError, result.relativeError);
  check::Stray stray = check::findStray(tensor.kind, got.data(), want.data(), count, expected.tolerance,
                                        tensor.param->access == launch::Access::Out);
  if (stray.count)
    return describeStray(nameInBlocks(tensor, expected, stray.first), stray, count, got);
  if (result.passed)
    return "";
  char text[256];
  if (result.firstFailing < 0) {
    snprintf(text, sizeof text, ": relative error %.3g is above the tolerance %.3g", result.relativeError,
             expected.tolerance);
    return tensor.param->name + text;
  }
  snprintf(text, sizeof text, "; %lld of %lld elements are off, relative error %.3g",
           static_cast<long long>(result.failing), static_cast<long long>(count), result.relativeError);
  return nameInBlocks(tensor, expected, result.firstFailing) + " is " + number(result.got) + ", expected " +
         number(result.want) + text;
}

std::string Tensors::verifyOne(const Tensor &tensor, const char *now, const Expected *expected,
                               double &relativeError) {
  const char *before = tensor.initial.bytes.get();
  const uint64_t last = tensor.first + tensor.dataBytes;
  auto changedIn = [&](uint64_t begin, uint64_t end) {
    return static_cast<uint64_t>(std::mismatch(before + begin, before + end, now + begin).first - before);
  };
  uint64_t front = changedIn(0, tensor.first), back = changedIn(last, tensor.initial.size);
  if (front != tensor.first)
    return tensor.param->name + ": the kernel wrote at byte " + std::to_string(tensor.first - front) +
           " before the start of the tensor";
  if (back != tensor.initial.size)
    return tensor.param->name + ": the kernel wrote at byte " + std::to_string(back - last) +
           " behind the end of the tensor";
  if (tensor.param->access == launch::Access::In) {
    uint64_t at = changedIn(tensor.first, last);
    return at == last ? ""
                      : elementName(tensor, static_cast<int64_t>((at - tensor.first) * 8 /
                                                                 elementInfo(tensor.kind).storageBits)) +
                            ": the kernel changed an input";
  }
  return expected ? compareOutput(tensor, now + tensor.first, *expected, relativeError) : "";
}

std::string Tensors::verify(const std::vector<Expected> &expected, double &relativeError) {
  std::string problems;
  for (const Tensor &tensor : tensors) {
    HostBuffer now;
    if (!now.allocate(tensor.initial.size))
      return "no memory on the host to look at '" + tensor.param->name + "'";
    if (!device.copyToHost(now.bytes.get(), tensor.allocation, now.size))
      return device.error;
    auto output = std::find_if(expected.begin(), expected.end(),
                               [&](const Expected &item) { return item.name == tensor.param->name; });
    std::string problem =
        verifyOne(tensor, now.bytes.get(), output == expected.end() ? nullptr : &*output, relativeError);
    if (!problem.empty())
      problems += (problems.empty() ? "" : "; ") + problem;
  }
  return problems;
}

const launch::Program *tilec::runner::selectProgram(const Manifest &manifest, const ManifestEntry &entry,
                                                    int capability, std::string &target, std::string &error) {
  std::optional<unsigned> chosen = selectTarget(manifest.targets, capability);
  if (chosen)
    for (const ManifestProgram &program : entry.programs)
      if (std::find(program.targets.begin(), program.targets.end(), *chosen) != program.targets.end()) {
        target = manifest.targets[*chosen].name;
        return &program.program;
      }
  error = "nothing in the image runs on a device of compute capability " + std::to_string(capability / 10) +
          "." + std::to_string(capability % 10) + "; it holds";
  for (const ManifestTarget &item : manifest.targets)
    error += " " + item.name;
  return nullptr;
}
