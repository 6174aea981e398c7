// Layouts against brute force: enumerates which element each register of each
// thread holds.
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace mlir;
using namespace tilegpt::tilegpu;

namespace {

using Coordinates = SmallVector<int64_t>;

constexpr int64_t warpLanes = 32;

class Layout : public testing::Test {
protected:
  Layout() { context.loadDialect<TileGPUDialect>(); }

  LayoutAttr make(ArrayRef<LayoutMode> registers, ArrayRef<LayoutMode> lanes,
                  ArrayRef<LayoutMode> warps) {
    return LayoutAttr::getCanonical(&context, registers, lanes, warps);
  }

  /// Whether the layout is valid for a tile of this shape.
  bool isLayoutOf(LayoutAttr layout, ArrayRef<int64_t> shape) {
    ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
    Location loc = UnknownLoc::get(&context);
    return succeeded(
        layout.verifyEncoding(shape, Float32Type::get(&context),
                              [&] { return mlir::emitError(loc); }));
  }

  MLIRContext context;
};

Coordinates coordinatesOf(LayoutAttr layout, int64_t reg, int64_t lane,
                          int64_t warp, int64_t rank) {
  Coordinates sum = layout.getRegisterOffset(reg, rank);
  for (auto [total, part] :
       llvm::zip_equal(sum, layout.getThreadOffset(lane, warp, rank)))
    total += part;
  return sum;
}

bool isInside(const Coordinates &coordinates, ArrayRef<int64_t> shape) {
  return llvm::all_of(llvm::zip_equal(coordinates, shape), [](auto pair) {
    return std::get<0>(pair) < std::get<1>(pair);
  });
}

/// Calls `visit(thread, register, coordinates)` for every held element,
/// including padding.
void forEach(LayoutAttr layout, int64_t rank,
             function_ref<void(int64_t, int64_t, const Coordinates &)> visit) {
  for (int64_t warp = 0; warp < layout.getNumWarps(); ++warp)
    for (int64_t lane = 0; lane < warpLanes; ++lane)
      for (int64_t reg = 0; reg < layout.getNumRegisters(); ++reg)
        visit(warp * warpLanes + lane, reg,
              coordinatesOf(layout, reg, lane, warp, rank));
}

/// Threads that hold each element of a tile; fails if a thread holds an element
/// twice.
std::map<Coordinates, std::set<int64_t>> holdersOf(LayoutAttr layout,
                                                   ArrayRef<int64_t> shape) {
  std::map<Coordinates, std::set<int64_t>> holders;
  forEach(layout, shape.size(),
          [&](int64_t thread, int64_t, const Coordinates &coordinates) {
            if (isInside(coordinates, shape))
              EXPECT_TRUE(holders[coordinates].insert(thread).second);
          });
  return holders;
}

/// Number of copies of each element: the product of the replicated extents.
int64_t countCopies(LayoutAttr layout) {
  int64_t copies = 1;
  for (ArrayRef<LayoutMode> modes : {layout.getLanes(), layout.getWarps()})
    for (const LayoutMode &mode : modes)
      if (mode.isReplicated())
        copies *= mode.extent;
  return copies;
}

int64_t countElements(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

std::vector<Coordinates> sampleShapes() {
  std::vector<Coordinates> shapes = {{}};
  for (int64_t size : {1, 2, 3, 5, 31, 32, 33, 96, 128, 200, 1024})
    shapes.push_back({size});
  for (int64_t rows : {1, 2, 3, 7, 16, 48})
    for (int64_t columns : {1, 4, 6, 33, 64, 100})
      shapes.push_back({rows, columns});
  for (Coordinates shape :
       {Coordinates{1, 1, 1}, {2, 3, 5}, {4, 1, 64}, {3, 16, 10}, {2, 2, 2, 9}})
    shapes.push_back(shape);
  return shapes;
}

/// Calls `check(layout, shape)` for blocked layouts of many kinds.
void forEachBlocked(MLIRContext &context,
                    function_ref<void(LayoutAttr, ArrayRef<int64_t>)> check) {
  for (const Coordinates &shape : sampleShapes())
    for (int64_t vector : {1, 2, 4, 8})
      for (int64_t warps : {1, 3, 4, 8}) {
        LayoutAttr layout =
            LayoutAttr::getBlocked(&context, shape, vector, warps);
        std::string text;
        llvm::raw_string_ostream(text)
            << layout << " of " << shape.size() << " axes, vector " << vector;
        SCOPED_TRACE(text);
        check(layout, shape);
      }
}

TEST_F(Layout, BlockedHoldsEveryElementOnceForEachCopy) {
  forEachBlocked(context, [&](LayoutAttr layout, ArrayRef<int64_t> shape) {
    EXPECT_TRUE(isLayoutOf(layout, shape));
    auto holders = holdersOf(layout, shape);
    EXPECT_EQ(int64_t(holders.size()), countElements(shape));
    for (const auto &[element, threads] : holders)
      EXPECT_EQ(int64_t(threads.size()), countCopies(layout));
  });
}

TEST_F(Layout, BlockedHasTheWarpsAskedFor) {
  for (int64_t warps : {1, 2, 3, 4, 6, 8, 12, 16})
    for (const Coordinates &shape : sampleShapes())
      EXPECT_EQ(LayoutAttr::getBlocked(&context, shape, 4, warps).getNumWarps(),
                warps);
}

TEST_F(Layout, EqualMapsHaveOneCanonicalForm) {
  LayoutMode two = {2, 0, 1}, four = {4, 0, 2}, eight = {8, 0, 1};
  LayoutMode lanes = {32, 1, 1};
  EXPECT_EQ(make({two, four}, {lanes}, {}), make({eight}, {lanes}, {}));
  EXPECT_EQ(make({{1, 1, 7}, eight, {1, 0, 3}}, {lanes}, {}),
            make({eight}, {lanes}, {}));
  EXPECT_EQ(make({}, {LayoutMode::replicate(4), LayoutMode::replicate(8)}, {}),
            make({}, {LayoutMode::replicate(32)}, {}));
  // Another order gives another map.
  EXPECT_NE(make({four, two}, {lanes}, {}), make({eight}, {lanes}, {}));
}

TEST_F(Layout, CanonicalFormKeepsTheMap) {
  LayoutMode modes[] = {{2, 0, 1}, {1, 1, 9}, {2, 0, 2}, {3, 1, 1}, {4, 1, 3}};
  auto plain =
      LayoutAttr::get(&context, modes, {{4, 0, 4}, {8, 1, 12}}, {{2, 0, 16}});
  auto joined = make(modes, {{4, 0, 4}, {8, 1, 12}}, {{2, 0, 16}});
  EXPECT_EQ(joined.getRegisters().size(), 2u);
  ASSERT_EQ(plain.getNumRegisters(), joined.getNumRegisters());
  forEach(plain, 2,
          [&](int64_t thread, int64_t reg, const Coordinates &coordinates) {
            EXPECT_EQ(coordinates,
                      coordinatesOf(joined, reg, thread % warpLanes,
                                    thread / warpLanes, 2));
          });
}

TEST_F(Layout, CoveredSizeIsOneMoreThanTheLargestCoordinate) {
  forEachBlocked(context, [&](LayoutAttr layout, ArrayRef<int64_t> shape) {
    Coordinates largest(shape.size(), 0);
    forEach(layout, shape.size(),
            [&](int64_t, int64_t, const Coordinates &coordinates) {
              for (auto [most, here] : llvm::zip_equal(largest, coordinates))
                most = std::max(most, here);
            });
    for (size_t axis = 0; axis < shape.size(); ++axis)
      EXPECT_EQ(layout.getCoveredSize(axis), largest[axis] + 1);
  });
}

TEST_F(Layout, VectorsAreNeighboursAtMultiplesOfTheirSize) {
  forEachBlocked(context, [&](LayoutAttr layout, ArrayRef<int64_t> shape) {
    int64_t rank = shape.size();
    for (int64_t axis = 0; axis < rank; ++axis) {
      int64_t vector = layout.getVectorSize(axis);
      ASSERT_EQ(layout.getNumRegisters() % vector, 0);
      forEach(layout, rank,
              [&](int64_t thread, int64_t reg, const Coordinates &here) {
                Coordinates first =
                    coordinatesOf(layout, reg / vector * vector,
                                  thread % warpLanes, thread / warpLanes, rank);
                EXPECT_EQ(first[axis] % vector, 0);
                first[axis] += reg % vector;
                EXPECT_EQ(here, first);
              });
    }
  });
}

TEST_F(Layout, CollapsedAxisIsHeldByAllThreadsAlongIt) {
  forEachBlocked(context, [&](LayoutAttr layout, ArrayRef<int64_t> shape) {
    auto before = holdersOf(layout, shape);
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      // Every thread that holds an element of the line holds its reduction.
      std::map<Coordinates, std::set<int64_t>> expected;
      for (const auto &[element, threads] : before) {
        Coordinates line = element;
        line[axis] = 0;
        expected[line].insert(threads.begin(), threads.end());
      }
      Coordinates kept(shape);
      kept[axis] = 1;
      LayoutAttr collapsed = layout.collapseAxis(axis);
      EXPECT_TRUE(isLayoutOf(collapsed, kept));
      auto after = holdersOf(collapsed, kept);
      ASSERT_EQ(after.size(), expected.size());
      for (const auto &[line, threads] : expected)
        EXPECT_TRUE(llvm::all_of(threads, [&](int64_t thread) {
          return after[line].contains(thread);
        }));

      // Equal to dropping the axis.
      Coordinates dropped(shape);
      dropped.erase(dropped.begin() + axis);
      LayoutAttr without = layout.dropAxis(axis);
      EXPECT_EQ(without.insertAxis(axis), collapsed);
      EXPECT_EQ(collapsed.dropAxis(axis), without);
      EXPECT_TRUE(isLayoutOf(without, dropped));
    }
  });
}

TEST_F(Layout, PermutedElementsStayWhereTheyAre) {
  LayoutAttr layout = LayoutAttr::getBlocked(&context, {6, 10, 20}, 4, 4);
  Coordinates permutation = {0, 1, 2};
  do {
    LayoutAttr permuted = layout.permute(permutation);
    ASSERT_EQ(permuted.getNumRegisters(), layout.getNumRegisters());
    forEach(layout, 3,
            [&](int64_t thread, int64_t reg, const Coordinates &source) {
              Coordinates expected;
              for (int64_t axis : permutation)
                expected.push_back(source[axis]);
              EXPECT_EQ(coordinatesOf(permuted, reg, thread % warpLanes,
                                      thread / warpLanes, 3),
                        expected);
            });
  } while (std::next_permutation(permutation.begin(), permutation.end()));
}

TEST_F(Layout, MergedAxesCountInRowMajorOrder) {
  Coordinates shape = {4, 2, 16};
  LayoutAttr layout = make({{4, 2, 1}}, {{4, 2, 4}, {2, 1, 1}, {4, 0, 1}}, {});
  LayoutAttr merged = layout.mergeAxes({{0}, {1, 2}}, shape);
  LayoutAttr flat = layout.mergeAxes({{0, 1, 2}}, shape);
  EXPECT_TRUE(isLayoutOf(merged, {4, 32}));
  EXPECT_TRUE(isLayoutOf(flat, {128}));
  forEach(layout, 3, [&](int64_t thread, int64_t reg, const Coordinates &at) {
    Coordinates two = {at[0], at[1] * 16 + at[2]}, one = {two[0] * 32 + two[1]};
    EXPECT_EQ(coordinatesOf(merged, reg, thread, 0, 2), two);
    EXPECT_EQ(coordinatesOf(flat, reg, thread, 0, 1), one);
  });
}

TEST_F(Layout, UndoneBroadcastHoldsWhatEveryThreadRepeats) {
  std::pair<Coordinates, Coordinates> cases[] = {
      {{1, 64}, {16, 64}},   {{16, 1}, {16, 64}}, {{64}, {16, 64}},
      {{1}, {16, 64}},       {{}, {16, 64}},      {{1, 1}, {5, 7}},
      {{3, 1, 9}, {3, 4, 9}}};
  for (auto &[source, result] : cases)
    for (int64_t vector : {1, 4})
      for (int64_t warps : {1, 4, 6}) {
        LayoutAttr layout =
            LayoutAttr::getBlocked(&context, result, vector, warps);
        LayoutAttr undone = layout.undoBroadcast(source, result);
        EXPECT_TRUE(isLayoutOf(undone, source));
        auto holders = holdersOf(undone, source);
        size_t added = result.size() - source.size();
        forEach(layout, result.size(),
                [&](int64_t thread, int64_t, const Coordinates &coordinates) {
                  if (!isInside(coordinates, result))
                    return;
                  Coordinates from(ArrayRef(coordinates).drop_front(added));
                  for (size_t axis = 0; axis < source.size(); ++axis)
                    if (source[axis] == 1)
                      from[axis] = 0;
                  EXPECT_TRUE(holders[from].contains(thread));
                });
      }
}

TEST_F(Layout, FindsRegistersThatHoldTheSameElement) {
  Coordinates shape = {12, 50};
  std::vector<LayoutAttr> layouts;
  for (int64_t vector : {1, 2, 4})
    layouts.push_back(LayoutAttr::getBlocked(&context, shape, vector, 4));
  layouts.push_back(layouts[1].collapseAxis(0));
  layouts.push_back(
      make({{4, 1, 1}, {2, 0, 8}}, {{16, 1, 4}, {2, 0, 1}}, {{4, 0, 2}}));
  layouts.push_back(
      make({{2, 0, 8}, {4, 1, 1}}, {{16, 1, 4}, {2, 0, 1}}, {{4, 0, 2}}));
  for (LayoutAttr held : layouts)
    for (LayoutAttr wanted : layouts) {
      // Whether every thread already holds the elements it needs, and in which
      // register.
      std::map<std::pair<int64_t, Coordinates>, int64_t> place;
      forEach(held, 2,
              [&](int64_t thread, int64_t reg, const Coordinates &element) {
                place[{thread, element}] = reg;
              });
      bool isFree = true;
      forEach(wanted, 2,
              [&](int64_t thread, int64_t, const Coordinates &element) {
                isFree &= !isInside(element, shape) ||
                          place.contains({thread, element});
              });
      auto found = held.findRegisters(wanted, shape);
      // With different bases, a thread would have to select registers at run
      // time.
      if (found)
        EXPECT_TRUE(isFree);
      EXPECT_TRUE(found || held != wanted);
      if (!found)
        continue;
      forEach(wanted, 2,
              [&](int64_t thread, int64_t reg, const Coordinates &element) {
                if (!isInside(element, shape))
                  return;
                int64_t source = (*found)[reg];
                ASSERT_GE(source, 0);
                EXPECT_EQ(coordinatesOf(held, source, thread % warpLanes,
                                        thread / warpLanes, 2),
                          element);
              });
    }
  // The last two layouts differ only in register order.
  EXPECT_TRUE(layouts[4].findRegisters(layouts[5], shape));
  EXPECT_TRUE(layouts[5].findRegisters(layouts[4], shape));
}

TEST_F(Layout, TilesRejectLayoutsWithHolesAndOverlaps) {
  LayoutMode lanes = {32, 0, 1};
  EXPECT_TRUE(isLayoutOf(make({{2, 0, 32}}, {lanes}, {}), {64}));
  EXPECT_TRUE(isLayoutOf(make({{2, 0, 32}}, {lanes}, {}), {50}));
  EXPECT_FALSE(isLayoutOf(make({{2, 0, 32}}, {lanes}, {}), {65}));
  EXPECT_FALSE(isLayoutOf(make({{2, 0, 33}}, {lanes}, {}), {64}));
  EXPECT_FALSE(isLayoutOf(make({{2, 0, 31}}, {lanes}, {}), {63}));
  EXPECT_FALSE(isLayoutOf(make({{2, 1, 1}}, {lanes}, {}), {32}));
  // Elements beyond the tile are not constrained.
  EXPECT_TRUE(isLayoutOf(make({{2, 0, 100}}, {lanes}, {}), {32}));
}

} // namespace
