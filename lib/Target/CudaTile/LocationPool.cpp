// Locations by function.
#include "Pools.h"

using namespace mlir;
using namespace tilegpt::cuda_tile;

namespace tilegpt::target::cudatile {

Locations::Locations(ByteReader section, Strings &strings, Version version)
    : source(&section.getSource()), strings(&strings), version(version) {
  size_t functions = section.count("functions", 4);
  section.align(4);
  for (size_t i = 0; i < functions && !source->hasFailed(); ++i)
    begins.push_back(section.fixed(4));
  size_t total = section.count("locations", 8);
  section.align(8);
  for (size_t i = 0; i < total && !source->hasFailed(); ++i)
    numbers.push_back(section.fixed(8));
  begins.push_back(numbers.size());
  if (!llvm::is_sorted(begins))
    section.fail("expected parts of functions in order");
  items = Items(section, 4);
  states.resize(items.size());
}

uint64_t Locations::readNumber(ByteReader &reader) const {
  size_t functions = begins.empty() ? 0 : begins.size() - 1;
  return reader.index("the number of a function's locations", functions + 1);
}

Locations::Cursor Locations::of(uint64_t number) {
  return number == 0 ? Cursor()
                     : Cursor(this, begins[number - 1], begins[number]);
}

Location Locations::Cursor::next(MLIRContext *context) {
  if (!owner || at >= end)
    return UnknownLoc::get(context);
  uint64_t number = owner->numbers[at++];
  if (number == 0)
    return UnknownLoc::get(context);
  auto loc = dyn_cast_or_null<LocationAttr>(owner->get(number, 0));
  if (!loc) {
    owner->source->fail(0, "expected a location as location of an op");
    return UnknownLoc::get(context);
  }
  return Location(loc);
}

Attribute Locations::get(uint64_t number, unsigned depth) {
  if (depth >= deepestLocation) {
    source->fail(0, "expected at most " + Twine(deepestLocation) +
                        " levels of nested locations");
    return {};
  }
  if (number == 0 || number > states.size()) {
    source->fail(0, "expected the number of a location from 1 to " +
                        Twine(states.size()) + ", found " + Twine(number));
    return {};
  }
  State &state = states[number - 1];
  if (state.attribute) {
    parts += state.parts;
    if (parts > mostLocationParts)
      source->fail(0, "expected locations of at most " +
                          Twine(mostLocationParts) +
                          " parts, counted at each use");
    return state.attribute;
  }
  if (state.busy) {
    source->fail(0, "expected locations that do not contain themselves");
    return {};
  }
  state.busy = true;
  const uint64_t before = parts++;
  Attribute attribute = resolve(items[number - 1], depth + 1);
  states[number - 1] = {attribute, parts - before, false};
  return attribute;
}

/// Reads a number and returns the item it refers to.
template <typename T>
T Locations::read(ByteReader &reader, StringRef kind, unsigned depth) {
  uint64_t number = reader.varint();
  if (source->hasFailed())
    return {};
  Attribute found = get(number, depth);
  if (found && !isa<T>(found))
    reader.fail("expected " + kind + " here");
  return dyn_cast_or_null<T>(found);
}

/// Lines and columns are 32 bits.
static unsigned readPosition(ByteReader &reader) {
  return unsigned(reader.index("a line or column", uint64_t(1) << 32));
}

Attribute Locations::resolve(ByteReader item, unsigned depth) {
  MLIRContext *context = source->getContext();
  uint64_t tag = item.varint();
  switch (tag) {
  case FileTag: {
    StringAttr name = strings->read(item), directory = strings->read(item);
    return DIFileAttr::get(context, name, directory);
  }
  case CompileUnitTag: {
    auto file = read<DIFileAttr>(item, "a file", depth);
    return file ? DICompileUnitAttr::get(context, file) : Attribute();
  }
  case LexicalBlockTag: {
    auto scope = read<DILocalScopeAttr>(item, "a scope", depth);
    auto file = read<DIFileAttr>(item, "a file", depth);
    unsigned line = readPosition(item), column = readPosition(item);
    if (!scope || !file)
      return {};
    return DILexicalBlockAttr::get(context, scope, file, line, column);
  }
  case LocationTag: {
    auto scope = read<DILocalScopeAttr>(item, "a scope", depth);
    StringAttr name = strings->read(item);
    unsigned line = readPosition(item), column = readPosition(item);
    if (!scope)
      return {};
    return DILocAttr::get(context, FileLineColLoc::get(name, line, column),
                          scope);
  }
  case SubprogramTag: {
    auto file = read<DIFileAttr>(item, "a file", depth);
    unsigned line = readPosition(item);
    StringAttr name = strings->read(item), linkage = strings->read(item);
    auto unit = read<DICompileUnitAttr>(item, "a compile unit", depth);
    unsigned scopeLine = readPosition(item);
    if (version >= Version{13, 5})
      item.varint(); // flags, none of which mean anything yet
    if (!file || !unit)
      return {};
    return DISubprogramAttr::get(context, file, line, name, linkage, unit,
                                 scopeLine);
  }
  case CallSiteTag: {
    auto callee = read<LocationAttr>(item, "a location", depth);
    auto caller = read<LocationAttr>(item, "a location", depth);
    if (!callee || !caller)
      return {};
    return CallSiteLoc::get(Location(callee), Location(caller));
  }
  default:
    item.fail("expected the tag of a location, found " + Twine(tag));
    return {};
  }
}

} // namespace tilegpt::target::cudatile
