import ts from "typescript";

/** Every type that a file exports, in plain members: nothing of it has to be looked up anywhere else. */
export function writtenOut(program: ts.Program, path: string): string {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(path);
  const module = file && checker.getSymbolAtLocation(file);
  if (!module) throw new Error(`${path} exports nothing`);
  const types = checker.getExportsOfModule(module).map((symbol) => {
    const alias = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return { name: symbol.name, type: checker.getDeclaredTypeOfSymbol(alias) };
  });
  const print = printer(checker);
  // A type within another is named where it has a name of its own.
  const names = new Map(
    types.filter(({ type }) => !isSimple(type)).map(({ name, type }) => [print(type, new Map()), name]),
  );
  return types
    .map(({ name, type }) => {
      const others = new Map([...names].filter(([, other]) => other !== name));
      return `export type ${name} = ${print(type, others)};\n`;
    })
    .join("\n");
}

const isSimple = (type: ts.Type) =>
  Boolean(type.flags & (ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BooleanLike));

const simple =
  ts.TypeFlags.StringLike |
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.BooleanLike |
  ts.TypeFlags.Null |
  ts.TypeFlags.Undefined |
  ts.TypeFlags.Unknown;

function printer(checker: ts.TypeChecker) {
  function print(type: ts.Type, names: ReadonlyMap<string, string>, indent = ""): string {
    const named =
      names.size > 0 ? names.get(print(type, new Map(), indent).replaceAll(`\n${indent}`, "\n")) : undefined;
    return named ?? inFull(type, names, indent);
  }

  function inFull(type: ts.Type, names: ReadonlyMap<string, string>, indent: string): string {
    if (type.isUnion() && !(type.flags & ts.TypeFlags.Boolean)) return union(type, names, indent);
    if (type.flags & simple) return checker.typeToString(type);
    if (checker.isTupleType(type)) {
      return `[${checker
        .getTypeArguments(type as ts.TypeReference)
        .map((item) => print(item, names, indent))
        .join(", ")}]`;
    }
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as ts.TypeReference);
      const text = item ? print(item, names, indent) : "unknown";
      return text.includes(" | ") && !text.startsWith("{") ? `(${text})[]` : `${text}[]`;
    }
    if (type.flags & ts.TypeFlags.Object) return members(type, names, indent);
    throw new Error(`no plain words for ${checker.typeToString(type)}`);
  }

  function union(type: ts.UnionType, names: ReadonlyMap<string, string>, indent: string): string {
    const parts = type.types.map((part) => print(part, names, indent));
    // true | false is how the checker keeps a boolean within a union.
    const both = parts.includes("true") && parts.includes("false");
    const rest = both ? [...parts.filter((part) => part !== "true" && part !== "false"), "boolean"] : parts;
    return [...rest.filter((part) => !empty.has(part)), ...rest.filter((part) => empty.has(part))].join(" | ");
  }

  function members(type: ts.Type, names: ReadonlyMap<string, string>, indent: string): string {
    const inner = `${indent}  `;
    const lines = checker.getPropertiesOfType(type).map((property) => {
      const optional = property.flags & ts.SymbolFlags.Optional ? "?" : "";
      return `${property.name}${optional}: ${print(checker.getTypeOfSymbol(property), names, inner)};`;
    });
    for (const { keyType, type: value } of checker.getIndexInfosOfType(type)) {
      lines.push(`[key: ${checker.typeToString(keyType)}]: ${print(value, names, inner)};`);
    }
    if (checker.getSignaturesOfType(type, ts.SignatureKind.Call).length > 0 || lines.length === 0) {
      throw new Error(`no plain words for ${checker.typeToString(type)}`);
    }
    return `{\n${lines.map((line) => `${inner}${line}\n`).join("")}${indent}}`;
  }
  return print;
}

const empty = new Set(["null", "undefined"]);
