//===- SeparateParamBuilder.td - The one builder of an op ----------*- tablegen -*-===//
//
// mlir-tblgen writes four to eight builders for an op, each with two `create` functions. C++ calls one of them, but
// compiling all takes a third of the time of a dialect's ops. An op with `skipDefaultBuilders` and
//
//   let builders = [SeparateParamBuilder<results, arguments, regions, traits>];
//
// has only the one that mlir-tblgen calls genSeparateArgParamBuilder: a parameter for the type of each result that is
// not inferred, then one for each operand and attribute, in the order of `arguments`. Attributes are C++ values where
// the attribute says how to wrap them.
//
//===------------------------------------------------------------------------------===//

#ifndef TILEGPT_DIALECT_SEPARATEPARAMBUILDER_TD
#define TILEGPT_DIALECT_SEPARATEPARAMBUILDER_TD

include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

/// A parameter of a builder: its type, its default argument or "", and the statement that adds it to the state.
class BuilderParam<string paramName, string paramType, string argument, string statement, string count> {
  string name = paramName;
  string type = paramType;
  string defaultArgument = argument;
  string add = statement;
  /// The number of operands that it adds; empty for an attribute.
  string segment = count;
}

class OperandParam<string name, Constraint type> : BuilderParam<name,
  !if(!isa<Variadic>(type), "::mlir::ValueRange", "::mlir::Value"), "",
  !if(!isa<Optional>(type), "if (" # name # ") ", "") # "$_state.addOperands(" # name # ");",
  !cond(!isa<Variadic>(type): "static_cast<int32_t>(" # name # ".size())",
        !isa<Optional>(type): name # " ? 1 : 0",
        true: "1")>;

/// A parameter of the attribute's C++ type if the attribute can be built from a value $0. Other attributes may be null
/// if they are optional.
class AttributeParam<string name, Attr attr,
    bit isWrapped = !if(!initialized(attr.constBuilderCall), !ne(attr.returnType, attr.storageType), false)>
  : BuilderParam<name,
  !if(isWrapped, attr.returnType, attr.storageType),
  !if(!and(isWrapped, !initialized(attr.defaultValue)), attr.defaultValue, ""),
  "$_state.getOrAddProperties<Properties>()." # name # " = " #
    !if(isWrapped, !subst("$0", name, attr.constBuilderCall), name) # ";",
  "">;

/// The parameter for an argument of an op. Branches not taken need valid records too: fields of `?` crash tablegen.
class ArgumentParam<dag arguments, int index> {
  defvar name = !getdagname(arguments, index);
  defvar attr = !getdagarg<Attr>(arguments, index);
  defvar type = !getdagarg<TypeConstraint>(arguments, index);
  defvar described = !getdagarg<OpVariable>(arguments, index);
  BuilderParam param = !if(!initialized(attr),
    AttributeParam<name, !if(!initialized(attr), attr, UnitAttr)>,
    OperandParam<name, !if(!initialized(type), type,
      !if(!initialized(described), described, Arg<AnyType>).constraint)>);
}

/// Whether an op has a trait of this name.
class HasTrait<list<Trait> traits, string name> {
  bit value = !foldl(false, traits, found, trait, !or(found, !eq(!cast<string>(trait), name)));
}

/// Whether ODS infers the type of a result: the type is the only one, or that of an operand determines it.
class IsInferred<dag results, int index, list<Trait> traits> {
  defvar name = !getdagname(results, index);
  defvar onlyType = !getdagarg<BuildableType>(results, index);
  defvar isAlwaysInferred = !or(!initialized(onlyType), HasTrait<traits, "SameOperandsAndResultType">.value);
  bit value = !foldl(isAlwaysInferred, traits, found, trait, !or(found, !cond(
    !isa<AllTypesMatch>(trait):
      !foldl(false, !cast<AllTypesMatch>(trait).values, any, other, !or(any, !eq(other, name))),
    !isa<TypesMatchWith>(trait): !eq(!cast<TypesMatchWith>(trait).rhs, name),
    true: false)));
}

/// The only builder of an op, as above.
class SeparateParamBuilder<dag results, dag arguments, dag regions, list<Trait> traits> : OpBuilder<(ins)> {
  defvar isInferred = !and(!gt(!size(results), 0), !foldl(true, !range(!size(results)), all, i,
    !and(all, IsInferred<results, i, traits>.value)));
  defvar types = !if(isInferred, []<BuilderParam>, !foreach(i, !range(!size(results)), BuilderParam<
    !getdagname(results, i),
    !if(!initialized(!getdagarg<Variadic>(results, i)), "::mlir::TypeRange", "::mlir::Type"), "",
    "$_state.addTypes(" # !getdagname(results, i) # ");", "">));
  defvar values = !foreach(i, !range(!size(arguments)), ArgumentParam<arguments, i>.param);
  defvar params = !listconcat(types, values);

  // C++ allows default arguments after the last parameter without one.
  defvar required = !foldl(0, !range(!size(params)), count, i,
    !if(!empty(params[i].defaultArgument), !add(i, 1), count));
  let dagParams = !dag(ins, !foreach(i, !range(!size(params)),
    CArg<params[i].type, !if(!lt(i, required), "", params[i].defaultArgument)>), !foreach(param, params, param.name));

  defvar segments = !filter(segment, !foreach(param, params, param.segment), !not(!empty(segment)));
  defvar setSegments = "::llvm::copy(::llvm::ArrayRef<int32_t>({" # !interleave(segments, ", ") #
    "}), $_state.getOrAddProperties<Properties>().operandSegmentSizes.begin());";
  defvar inferTypes = [{::llvm::SmallVector<::mlir::Type, 2> inferredTypes;
if (::llvm::failed(inferReturnTypes($_builder.getContext(), $_state.location, $_state.operands,
      $_state.attributes.getDictionary($_state.getContext()), $_state.getRawProperties(), $_state.regions,
      inferredTypes)))
  ::mlir::detail::reportFatalInferReturnTypesError($_state);
$_state.addTypes(inferredTypes);}];
  defvar statements = !listconcat(!foreach(param, params, param.add),
    !if(HasTrait<traits, "AttrSizedOperandSegments">.value, [setSegments], []<string>),
    !listsplat("(void)$_state.addRegion();", !size(regions)),
    !cond(!not(isInferred): []<string>,
          HasTrait<traits, "SameOperandsAndResultType">.value:
            ["$_state.addTypes($_state.operands.front().getType());"],
          true: [inferTypes]));
  // Without a body, a builder is only declared.
  let body = !if(!empty(statements), "// Nothing to add.", !interleave(statements, "\n"));
}

#endif
