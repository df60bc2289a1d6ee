//===- MakeVariants.cpp - tile-make-variants ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The aligned variant is made on trial: a clone gets every fact that could help, and is kept if some access
// gets wider by them. Only facts about arguments that accesses depend on are asked for, so that one odd
// pointer somewhere does not lose the fast path for nothing.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "tilec/Transforms/GlobalAccess.h"
#include "tilec/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_TILEMAKEVARIANTSPASS
#include "tilec/Transforms/Passes.h.inc"

using namespace tile;

/// The kernel arguments a stride is a product of, so that it is a multiple of whatever one of them is. The
/// first one is the dimension nearest to the elements.
static void collectFactors(Value stride, SmallVectorImpl<BlockArgument> &factors) {
  if (auto argument = dyn_cast<BlockArgument>(stride)) {
    factors.push_back(argument);
  } else if (auto product = stride.getDefiningOp<arith::MulIOp>()) {
    collectFactors(product.getRhs(), factors);
    collectFactors(product.getLhs(), factors);
  }
}

static int64_t totalWidth(KernelOp kernel) {
  IndexAnalysis analysis(kernel);
  int64_t total = 0;
  kernel->walk([&](Operation *op) {
    if (isa<AtomicOp, AtomicTileOp>(op)) // one element at a time, whatever is known
      return;
    for (const ElementAccess &access : getTensorAccesses(op))
      total += computeWidth(access, analysis).elements;
  });
  return total;
}

static int64_t getArgInt(KernelOp kernel, unsigned index, StringRef name, int64_t fallback) {
  auto attribute = kernel.getArgAttrOfType<IntegerAttr>(index, name);
  return attribute ? attribute.getInt() : fallback;
}

namespace {
/// argument `index` is a multiple of `divisor` (bytes for a pointer).
struct Fact {
  unsigned index;
  int64_t divisor;
};

struct TileMakeVariantsPass : impl::TileMakeVariantsPassBase<TileMakeVariantsPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<KernelOp> kernels(getOperation().getOps<KernelOp>());
    for (KernelOp kernel : kernels)
      if (!kernel->hasAttr("tile.variant"))
        makeVariant(kernel, symbols);
  }

  /// Sets the facts that widen an access and returns them; each is dropped again if nothing needs it.
  SmallVector<Fact> addFacts(KernelOp kernel) {
    Builder builder(kernel.getContext());
    SmallVector<Fact> wanted;
    kernel->walk([&](GlobalOp global) {
      unsigned bits = storageBits(global.getPtr().getType().getElementType());
      auto want = [&](unsigned index, int64_t divisor) {
        for (Fact &fact : wanted)
          if (fact.index == index) {
            fact.divisor = std::max(fact.divisor, divisor);
            return;
          }
        wanted.push_back({index, divisor});
      };
      want(cast<BlockArgument>(global.getPtr()).getArgNumber(), maxAccessBytes);
      SmallVector<BlockArgument> factors;
      for (Value stride : global.getStrides())
        collectFactors(stride, factors);
      for (BlockArgument factor : factors)
        want(factor.getArgNumber(), maxAccessBytes * 8 / bits);
    });

    auto nameOf = [&](const Fact &fact) {
      bool isPointer = isa<PtrType>(kernel.getArgument(fact.index).getType());
      return StringRef(isPointer ? kAlignAttr : kDivisibleAttr);
    };
    SmallVector<Fact> facts;
    for (const Fact &fact : wanted)
      if (getArgInt(kernel, fact.index, nameOf(fact), 1) % fact.divisor != 0)
        facts.push_back(fact);
    auto set = [&](const Fact &fact) {
      kernel.setArgAttr(fact.index, nameOf(fact), builder.getI64IntegerAttr(fact.divisor));
    };
    SmallVector<Attribute> before;
    for (const Fact &fact : facts) {
      before.push_back(kernel.getArgAttr(fact.index, nameOf(fact)));
      set(fact);
    }
    int64_t best = totalWidth(kernel);
    SmallVector<Fact> needed;
    for (auto [fact, old] : llvm::zip_equal(facts, before)) {
      if (old)
        kernel.setArgAttr(fact.index, nameOf(fact), old);
      else
        kernel.removeArgAttr(fact.index, nameOf(fact));
      if (totalWidth(kernel) == best)
        continue;
      set(fact);
      needed.push_back(fact);
    }
    return needed;
  }

  void makeVariant(KernelOp kernel, SymbolTable &symbols) {
    // Every launch of the kernel chooses; nobody else does.
    SmallVector<LaunchOp> launches;
    getOperation()->walk([&](LaunchOp launch) {
      if (launch.getKernel() == kernel.getSymName())
        launches.push_back(launch);
    });
    if (launches.empty())
      return;
    KernelOp variant = kernel.clone();
    SmallVector<Fact> facts = addFacts(variant);
    if (facts.empty()) {
      variant->erase();
      return;
    }
    Builder builder(&getContext());
    variant.setSymName((kernel.getSymName() + "__aligned").str());
    variant->setAttr("tile.variant", builder.getStringAttr("aligned"));
    kernel->setAttr("tile.variant", builder.getStringAttr("generic"));
    symbols.insert(variant, std::next(Block::iterator(kernel)));
    remark::passed(kernel.getLoc(), decision(kernel, "Variant", "tile-make-variants"))
        << "'" + variant.getSymName().str() + "' for arguments with " + describe(facts, kernel);

    for (LaunchOp launch : launches)
      guardLaunch(launch, variant, facts);
  }

  /// "A, B at multiples of 16 bytes; N in multiples of 8".
  static std::string describe(ArrayRef<Fact> facts, KernelOp kernel) {
    llvm::MapVector<int64_t, std::string> pointers, extents; // by divisor
    for (const Fact &fact : facts) {
      bool isPointer = isa<PtrType>(kernel.getArgument(fact.index).getType());
      std::string &list = (isPointer ? pointers : extents)[fact.divisor];
      list += (list.empty() ? "" : ", ") + kernel.getArgName(fact.index).str();
    }
    SmallVector<std::string> parts;
    for (auto &[divisor, list] : pointers)
      parts.push_back(list + " at multiples of " + std::to_string(divisor) + " bytes");
    for (auto &[divisor, list] : extents)
      parts.push_back(list + " in multiples of " + std::to_string(divisor));
    return llvm::join(parts, "; ");
  }

  static void guardLaunch(LaunchOp launch, KernelOp variant, ArrayRef<Fact> facts) {
    OpBuilder builder(launch);
    Location loc = launch.getLoc();
    Value all;
    for (const Fact &fact : facts) {
      Value argument = launch.getArgs()[fact.index];
      Value holds;
      if (isa<PtrType>(argument.getType())) {
        holds = PtrAlignedOp::create(builder, loc, argument, builder.getI64IntegerAttr(fact.divisor));
      } else {
        Value divisor = arith::ConstantIntOp::create(builder, loc, fact.divisor, 64);
        Value rest = arith::RemSIOp::create(builder, loc, argument, divisor);
        Value zero = arith::ConstantIntOp::create(builder, loc, 0, 64);
        holds = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rest, zero);
      }
      all = all ? arith::AndIOp::create(builder, loc, all, holds).getResult() : holds;
    }
    auto choice = scf::IfOp::create(builder, loc, all, /*withElseRegion=*/true);
    OpBuilder thenBuilder = choice.getThenBodyBuilder();
    auto aligned = cast<LaunchOp>(thenBuilder.clone(*launch));
    aligned.setKernel(variant.getSymName());
    launch->moveBefore(choice.elseBlock(), choice.elseBlock()->begin());
  }
};
} // namespace

} // namespace tilec
