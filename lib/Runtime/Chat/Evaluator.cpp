// Statements, variables and calls.
#include "Evaluator.h"
#include <algorithm>
#include <array>
#include <ctime>

namespace tilegpt::runtime::chat {

/// Far above what templates need, and a fraction of a second.
static constexpr size_t mostSteps = 1'000'000;
static constexpr size_t mostOutput = size_t(64) << 20;
static constexpr int mostCalls = 50, mostLevels = 1000;

Value Arguments::get(size_t place, std::string_view name) const {
  if (place < values.size())
    return values[place];
  for (const auto &[key, value] : named)
    if (!name.empty() && key == name)
      return value;
  return {};
}

Evaluator::Evaluator(Map variables) {
  scopes.push_back(std::move(variables));
  for (const char *name : {"namespace", "range", "raise_exception",
                           "strftime_now", "dict", "cycler", "joiner"})
    scopes[0].set(name, Function{name, nullptr, nullptr});
  scopes[0].set("self", Map()); // the blocks of the template
}

Result<std::string> Evaluator::run(const Node &body) {
  execute(body);
  if (!problem.empty())
    return makeError(ErrorCode::BadInput, "line ", line, ": ", problem);
  return std::move(output);
}

Value Evaluator::fail(std::string what) {
  if (problem.empty())
    problem = std::move(what);
  return {};
}

bool Evaluator::step(size_t count) {
  steps += count;
  if (steps > mostSteps)
    fail(concat("takes more than ", mostSteps, " steps"));
  return problem.empty();
}

Evaluator::Level::Level(Evaluator &evaluator) : evaluator(evaluator) {
  if (++evaluator.levels > mostLevels)
    evaluator.fail(concat("runs more than ", mostLevels, " levels deep"));
}

/// A new list, map or string, if it is not too large.
Value Evaluator::checked(Value value) {
  if (value.depth() > Value::mostLevels)
    return fail("nests lists or namespaces too deeply");
  if (value.weight() > mostSteps)
    return fail(concat("makes a list of more than ", mostSteps, " things"));
  return value;
}

const Value *Evaluator::find(std::string_view name) const {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope)
    if (const Value *value = scope->find(name))
      return value;
  return nullptr;
}

void Evaluator::write(std::string_view text) {
  if (output.size() + text.size() > mostOutput)
    fail(concat("writes more than ", mostOutput, " bytes"));
  else
    output += text;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

Evaluator::Flow Evaluator::execute(const Node &node) {
  const Level level(*this);
  if (!step())
    return Flow::Next;
  line = node.line;
  switch (node.kind) {
  case Node::Sequence:
    for (const NodePointer &child : node.children)
      if (const Flow flow = execute(*child); flow != Flow::Next)
        return flow;
    return Flow::Next;
  case Node::Text:
    write(node.name);
    return Flow::Next;
  case Node::Print:
    write(evaluate(node.children[0].get()).text());
    return Flow::Next;
  case Node::If:
    for (const Node *branch :
         {evaluate(node.children[0].get()).isTrue() ? node.children[1].get()
                                                    : node.children[2].get()})
      if (branch && problem.empty())
        return execute(*branch);
    return Flow::Next;
  case Node::For:
    return loop(node);
  case Node::Set:
    assign(node, evaluate(node.children[0].get()));
    return Flow::Next;
  case Node::With: {
    List values;
    for (size_t i = 0; i < node.names.size(); ++i)
      values.push_back(evaluate(node.children[i].get()));
    scopes.emplace_back();
    for (size_t i = 0; i < node.names.size(); ++i)
      scopes.back().set(node.names[i], std::move(values[i]));
    const Flow flow = execute(*node.children.back());
    scopes.pop_back();
    return flow;
  }
  case Node::CallBlock: {
    auto variables = std::make_shared<const std::vector<Map>>(scopes);
    const Node &macro = *node.children[1];
    write(call(*node.children[0],
               Function{macro.name, &macro, std::move(variables)})
              .text());
    return Flow::Next;
  }
  case Node::Macro:
    scopes.back().set(
        node.name,
        Function{node.name, &node,
                 scopes.size() > 1
                     ? std::make_shared<const std::vector<Map>>(scopes)
                     : nullptr});
    return Flow::Next;
  case Node::Block: {
    const Function global{node.name, &node, nullptr};
    if (const Value *blocks = scopes[0].find("self"); blocks && blocks->map())
      blocks->map()->set(node.name, global);
    write(
        (node.isMember
             ? callFunction({node.name, &node,
                             std::make_shared<const std::vector<Map>>(scopes)},
                            {})
             : callFunction(global, {}))
            .text());
    return Flow::Next;
  }
  case Node::Break:
    return Flow::Break;
  case Node::Continue:
    return Flow::Continue;
  default:
    return Flow::Next;
  }
}

std::string Evaluator::captured(const Node &body) {
  std::string outer;
  outer.swap(output);
  scopes.emplace_back();
  execute(body);
  scopes.pop_back();
  outer.swap(output);
  return outer;
}

void Evaluator::bind(std::span<const std::string> names, const Value &value) {
  if (names.size() == 1)
    return scopes.back().set(names[0], value);
  std::vector<std::span<const std::string>> targets;
  for (size_t at = 0; at < names.size();) {
    size_t end = at, open = 0;
    do {
      open += names[end] == "(";
      open -= names[end] == ")";
      ++end;
    } while (open != 0);
    const size_t bracket = end - at > 1;
    targets.push_back(names.subspan(at + bracket, end - at - 2 * bracket));
    at = end;
  }
  const List *parts = value.list();
  if (!parts || parts->size() != targets.size()) {
    fail(concat("expected ", targets.size(),
                " values for as many names, found ",
                parts ? concat(parts->size()) : std::string(value.kind())));
    return;
  }
  for (size_t i = 0; i < targets.size(); ++i)
    bind(targets[i], (*parts)[i]);
}

void Evaluator::assign(const Node &node, const Value &value) {
  if (!problem.empty())
    return;
  if (!node.isMember)
    return bind(node.names, value);
  const Value *object = find(node.names[0]);
  Map *space = object ? object->map() : nullptr;
  if (!space || !space->isNamespace)
    fail(concat("sets a member of '", node.names[0],
                "', which is not a namespace"));
  else if (value.depth() >= Value::mostLevels)
    fail("puts a namespace into a namespace");
  else
    space->set(node.names[1], value);
}

Evaluator::Flow Evaluator::loop(const Node &node) {
  return iterate(node, elementsOf(evaluate(node.children[0].get())), 0);
}

/// \param level  0 unless the loop calls itself.
Evaluator::Flow Evaluator::iterate(const Node &node, List elements,
                                   int64_t level) {
  const Node *condition = node.children[1].get();
  if (!step(elements.size()))
    return Flow::Next;
  std::shared_ptr<const Function> self;
  if (!node.name.empty())
    self = std::make_shared<const Function>(Function{
        "loop", &node, std::make_shared<const std::vector<Map>>(scopes),
        std::make_shared<List>(List{level})});
  const auto last = std::make_shared<List>();
  scopes.emplace_back();
  if (condition)
    std::erase_if(elements, [&](const Value &element) {
      if (!step())
        return true;
      bind(node.names, element);
      return !evaluate(condition).isTrue();
    });
  const auto count = int64_t(elements.size());
  for (int64_t i = 0; i < count && problem.empty(); ++i) {
    scopes.back() = Map();
    bind(node.names, elements[size_t(i)]);
    Map state;
    state.set("index", i + 1);
    state.set("index0", i);
    state.set("revindex", count - i);
    state.set("revindex0", count - i - 1);
    state.set("first", i == 0);
    state.set("last", i + 1 == count);
    state.set("length", count);
    state.set("previtem", i > 0 ? elements[size_t(i - 1)] : Value());
    state.set("nextitem", i + 1 < count ? elements[size_t(i + 1)] : Value());
    state.set("depth", level + 1);
    state.set("depth0", level);
    state.set("cycle", Function{"cycle", nullptr, nullptr,
                                std::make_shared<List>(List{i})});
    state.set("changed", Function{"changed", nullptr, nullptr, last});
    state.call = self;
    scopes.back().set("loop", std::move(state));
    if (execute(*node.children[2]) == Flow::Break)
      break;
  }
  scopes.pop_back();
  if (count == 0 && node.children[3] && problem.empty())
    return execute(*node.children[3]);
  return Flow::Next;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Arguments Evaluator::arguments(const Node &node) {
  Arguments result;
  const size_t count = node.children.size() - 1;
  for (size_t i = 0; i < count; ++i) {
    Value value = evaluate(node.children[i + 1].get());
    if (i + node.names.size() < count) {
      result.values.push_back(std::move(value));
      continue;
    }
    const std::string &name = node.names[i + node.names.size() - count];
    if (name == "*") {
      const List more = elementsOf(value);
      step(more.size());
      result.values.insert(result.values.end(), more.begin(), more.end());
    } else if (name != "**") {
      result.named.emplace_back(name, std::move(value));
    } else if (const Map *map = value.map()) {
      step(map->members.size());
      for (const auto &[key, member] : map->members)
        result.named.emplace_back(key.text(), member);
    } else {
      fail(concat("expected a map after '**', found ", value.kind()));
    }
  }
  return result;
}

Value Evaluator::call(const Node &node, const Value &caller) {
  const auto given = [&] {
    Arguments result = arguments(node);
    if (!caller.isUndefined())
      result.named.emplace_back("caller", caller);
    return result;
  };
  const Node &callee = *node.children[0];
  if (callee.kind == Node::Member) {
    const Value object = evaluate(callee.children[0].get());
    const Map *map = object.map();
    const Value *known = map ? map->find(callee.name) : nullptr;
    if (!known || !known->function())
      return method(object, callee.name, arguments(node));
    return callFunction(*known->function(), given());
  }
  const Value value = evaluate(&callee);
  if (const Map *map = value.map(); map && map->call)
    return callFunction(*map->call, given());
  if (!value.function())
    return fail(concat("calls ",
                       callee.name.empty() ? std::string(value.kind())
                                           : concat("'", callee.name, "'"),
                       ", which is not a supported function"));
  return callFunction(*value.function(), given());
}

Value Evaluator::callFunction(const Function &function,
                              const Arguments &arguments) {
  if (!problem.empty())
    return {};
  if (function.macro)
    return function.macro->kind == Node::For ? callLoop(function, arguments)
                                             : callMacro(function, arguments);
  if (function.name == "cycle") {
    if (arguments.values.empty())
      return fail("expected values for loop.cycle()");
    return arguments.values[size_t(function.state->front().integer()) %
                            arguments.values.size()];
  }
  if (function.name == "cycler" || function.name == "joiner")
    return makeCounter(function.name, arguments);
  if (function.state && function.name != "changed")
    return count(function);
  if (function.name == "changed") {
    const bool isSame = *function.state == arguments.values;
    *function.state = arguments.values;
    return !isSame || arguments.values.empty();
  }
  if (function.name == "raise_exception")
    return fail(concat("the template refuses this: ",
                       arguments.get(0, "message").text()));
  if (function.name == "strftime_now") {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    localtime_r(&now, &parts);
    std::array<char, 256> text;
    const std::string format = arguments.get(0, "format").text();
    return std::string(text.data(), std::strftime(text.data(), text.size(),
                                                  format.c_str(), &parts));
  }
  if (function.name == "range") {
    std::array<int64_t, 3> ends = {0, 0, 1};
    const size_t count = arguments.values.size();
    for (size_t i = 0; i < std::min<size_t>(count, 3); ++i) {
      if (!arguments.values[i].is<int64_t>())
        return fail("expected integers for range()");
      ends[count == 1 ? 1 : i] = arguments.values[i].integer();
    }
    List numbers;
    const auto [begin, end, stride] = ends;
    if (stride == 0)
      return fail("expected a step of range() that is not 0");
    for (int64_t i = begin; (stride > 0 ? i < end : i > end) && step();) {
      numbers.emplace_back(i);
      if (__builtin_add_overflow(i, stride, &i))
        break;
    }
    return numbers;
  }
  Map members; // namespace() and dict()
  if (const Value given = arguments.get(0); given.map()) {
    step(given.map()->members.size());
    members.members = given.map()->members;
  } else {
    for (const Value &pair : elementsOf(given)) {
      const List *parts = pair.list();
      if (!step() || !parts || parts->size() != 2 || !parts->front().isKey())
        return fail(concat("expected a map or a list of pairs for ",
                           function.name, "()"));
      members.set(parts->front(), parts->back());
    }
  }
  for (const auto &[name, value] : arguments.named)
    members.set(name, value);
  members.isNamespace = function.name == "namespace";
  if (members.isNamespace)
    for (const auto &[name, value] : members.members)
      if (value.depth() >= Value::mostLevels)
        return fail("puts a namespace into a namespace");
  return checked(std::move(members));
}

/// The object that cycler() or joiner() returns. The state is the position and
/// the values, or whether a joiner was called and its separator.
Value Evaluator::makeCounter(std::string_view name,
                             const Arguments &arguments) {
  const auto state = std::make_shared<List>(List{int64_t(0)});
  if (name == "joiner") {
    const Value separator = arguments.get(0, "sep");
    state->push_back(separator.isUndefined() ? Value(", ") : separator);
    return Function{"join", nullptr, nullptr, state};
  }
  if (arguments.values.empty())
    return fail("expected values for cycler()");
  state->insert(state->end(), arguments.values.begin(), arguments.values.end());
  Map members;
  for (const char *member : {"next", "reset", "current"})
    members.set(member, Function{member, nullptr, nullptr, state});
  return checked(std::move(members));
}

/// Calls a function of such an object.
Value Evaluator::count(const Function &function) {
  List &state = *function.state;
  const int64_t at = state[0].integer();
  if (function.name == "join") {
    state[0] = int64_t(1);
    return at == 0 ? Value("") : state[1];
  }
  const Value current = state[size_t(at) + 1];
  if (function.name == "next")
    state[0] = (at + 1) % int64_t(state.size() - 1);
  if (function.name == "reset")
    state[0] = int64_t(0);
  return function.name == "reset" ? Value(None()) : current;
}

/// A recursive loop over other elements.
Value Evaluator::callLoop(const Function &function,
                          const Arguments &arguments) {
  if (++depth > mostCalls)
    return fail(concat("calls loops more than ", mostCalls, " levels deep"));
  List elements = elementsOf(arguments.get(0));
  std::vector<Map> outer = *function.closure;
  outer.swap(scopes);
  std::string text, written;
  text.swap(output);
  iterate(*function.macro, std::move(elements),
          function.state->front().integer() + 1);
  written.swap(output);
  text.swap(output);
  outer.swap(scopes);
  --depth;
  return written;
}

/// Arguments that no parameter takes are `varargs` and `kwargs`.
Value Evaluator::callMacro(const Function &function,
                           const Arguments &arguments) {
  if (++depth > mostCalls)
    return fail(concat("calls macros more than ", mostCalls, " levels deep"));
  const Node &macro = *function.macro;
  Map parameters, kwargs;
  List varargs;
  for (size_t i = macro.names.size(); i < arguments.values.size(); ++i)
    varargs.push_back(arguments.values[i]);
  for (const auto &[name, value] : arguments.named)
    if (name == "caller")
      parameters.set(name, value);
    else if (std::ranges::find(macro.names, name) == macro.names.end())
      kwargs.set(name, value);
  parameters.set("varargs", checked(Value::tuple(std::move(varargs))));
  parameters.set("kwargs", checked(std::move(kwargs)));
  std::vector<Map> outer =
      function.closure ? *function.closure : std::vector<Map>{scopes[0]};
  if (function.closure && !parameters.find(macro.name))
    outer.back().set(macro.name, function); // it may call itself
  outer.push_back(std::move(parameters));
  outer.swap(scopes);
  // Defaults may name parameters before them.
  const size_t defaults = macro.children.size() - 1;
  for (size_t i = 0; i < macro.names.size(); ++i) {
    Value value = arguments.get(i, macro.names[i]);
    if (const size_t left = macro.names.size() - i;
        value.isUndefined() && left <= defaults)
      value = evaluate(macro.children[1 + defaults - left].get());
    scopes.back().set(macro.names[i], std::move(value));
  }
  std::string text = captured(*macro.children[0]);
  outer.swap(scopes);
  --depth;
  return text;
}

} // namespace tilegpt::runtime::chat
