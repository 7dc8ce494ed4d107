import ts from "typescript";

/** The members of a zod schema that are read here. */
interface Schema {
  readonly description?: string | undefined;
  readonly _zod: {
    readonly def: {
      readonly shape?: Readonly<Record<string, Schema>>;
      readonly innerType?: Schema;
      readonly element?: Schema;
    };
  };
}

/** Prints every type that a file exports as a self-contained declaration, without imports, with its descriptions. */
export function inlineTypes(program: ts.Program, path: string, schemas: Readonly<Record<string, unknown>>): string {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(path);
  const module = file && checker.getSymbolAtLocation(file);
  if (!module) throw new Error(`${path} exports nothing`);
  const types = checker.getExportsOfModule(module).map((symbol) => {
    const alias = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const exported = schemas[symbol.name];
    const schema = isSchema(exported) ? exported : undefined;
    const description = docOf(alias, checker) || schema?.description;
    return { name: symbol.name, type: checker.getDeclaredTypeOfSymbol(alias), schema, description };
  });
  const recursive = new Map(types.filter(({ name }) => recursiveTypes.has(name)).map(({ name, type }) => [type, name]));
  const { print, expand } = printer(checker, recursive);
  // Nested types that are exported themselves are referenced by name.
  const names = new Map(
    types
      .filter(({ type }) => !isSimple(type) && !recursive.has(type))
      .map(({ name, type }) => [print(type, { names: new Map() }), name]),
  );
  return types
    .map(({ name, type, schema, description }) => {
      const others = new Map([...names].filter(([, other]) => other !== name));
      const printed = recursive.has(type) ? expand : print;
      return `${comment(description)}export type ${name} = ${printed(type, { names: others, schema })};\n`;
    })
    .join("\n");
}

/** Exported types that contain themselves. They have no end if they are inlined, so they are referenced by name. */
const recursiveTypes = new Set(["ScorecardCondition"]);

const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null && "_zod" in value;

const docOf = (symbol: ts.Symbol, checker: ts.TypeChecker) =>
  ts.displayPartsToString(symbol.getDocumentationComment(checker));

const comment = (text: string | undefined, indent = "") =>
  text ? `/** ${text.replaceAll(/\s+/g, " ").replaceAll("*/", "*\\/")} */\n${indent}` : "";

/** The schema without what makes it optional, nullable or a list. */
function unwrap(schema: Schema | undefined): Schema | undefined {
  const inner = schema?._zod.def.innerType ?? schema?._zod.def.element;
  return inner ? unwrap(inner) : schema;
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

interface Context {
  /** Printed types that are exported themselves, and their names. */
  readonly names: ReadonlyMap<string, string>;
  readonly indent?: string;
  /** The schema that describes the type. */
  readonly schema?: Schema | undefined;
}

function printer(checker: ts.TypeChecker, recursive: ReadonlyMap<ts.Type, string>) {
  function print(type: ts.Type, context: Context): string {
    const name = recursive.get(type);
    if (name !== undefined) return name;
    const { names, indent = "" } = context;
    const bare = names.size > 0 ? print(type, { names: new Map(), indent }).replaceAll(`\n${indent}`, "\n") : "";
    return names.get(bare) ?? expand(type, context);
  }

  function expand(type: ts.Type, context: Context): string {
    if (type.isUnion() && !(type.flags & ts.TypeFlags.Boolean)) return union(type, context);
    if (type.flags & simple) return checker.typeToString(type);
    if (checker.isTupleType(type)) {
      return `[${checker
        .getTypeArguments(type as ts.TypeReference)
        .map((item) => print(item, context))
        .join(", ")}]`;
    }
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as ts.TypeReference);
      const text = item ? print(item, context) : "unknown";
      return text.includes(" | ") && !text.startsWith("{") ? `(${text})[]` : `${text}[]`;
    }
    if (type.flags & ts.TypeFlags.Object) return members(type, context);
    throw new Error(`cannot inline the type ${checker.typeToString(type)}`);
  }

  function union(type: ts.UnionType, context: Context): string {
    const parts = type.types.map((part) => print(part, context));
    // The checker represents a boolean within a union as true | false.
    const both = parts.includes("true") && parts.includes("false");
    const rest = both ? [...parts.filter((part) => part !== "true" && part !== "false"), "boolean"] : parts;
    return [...rest.filter((part) => !empty.has(part)), ...rest.filter((part) => empty.has(part))].join(" | ");
  }

  function members(type: ts.Type, { names, indent = "", schema }: Context): string {
    const inner = `${indent}  `;
    const shape = unwrap(schema)?._zod.def.shape;
    const lines = checker.getPropertiesOfType(type).map((property) => {
      const optional = property.flags & ts.SymbolFlags.Optional ? "?" : "";
      const member = shape?.[property.name];
      const printed = print(checker.getTypeOfSymbol(property), { names, indent: inner, schema: member });
      // Without names, the text identifies the type, so it has no comments.
      const about = names.size > 0 ? comment(docOf(property, checker) || member?.description, inner) : "";
      return `${about}${property.name}${optional}: ${printed};`;
    });
    for (const { keyType, type: value } of checker.getIndexInfosOfType(type)) {
      lines.push(`[key: ${checker.typeToString(keyType)}]: ${print(value, { names, indent: inner })};`);
    }
    if (checker.getSignaturesOfType(type, ts.SignatureKind.Call).length > 0 || lines.length === 0) {
      throw new Error(`cannot inline the type ${checker.typeToString(type)}`);
    }
    return `{\n${lines.map((line) => `${inner}${line}\n`).join("")}${indent}}`;
  }
  return { print, expand };
}

const empty = new Set(["null", "undefined"]);
