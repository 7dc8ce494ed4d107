import { argumentTypes, type Method, type MethodOptions } from "./methods.ts";
import { camel, type Operation, operations, pascal, resolve, type Schema } from "./openapi.ts";
import { comment, members, nameOf, querySchema, toType, used } from "./types.ts";

/** Types of arguments that were written. */
export const interfaces = new Map<string, string>();

interface Shape {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}

const ifMatch = "The number of the state that you loaded. If it has another number now, nothing changes.";

const positionalOf = ({ positional = [] }: MethodOptions) =>
  positional.map((text) => {
    const [member = "", type] = text.split(": ");
    return { member, type };
  });

/** The last parameter of a method: an object with all arguments that have no position of their own. */
function shapeOf(operation: Operation, options: MethodOptions): Shape {
  const { fixed = {}, body } = options;
  const positional = positionalOf(options).map(({ member }) => member);
  const left = (name: string) => !(name in fixed) && !positional.includes(name);
  const parameters = (operation.parameters ?? []).map(resolve);
  const query = parameters.filter((parameter) => parameter.in === "query" && left(parameter.name));
  const sent = body || options.fixed || (options.positional && !options.rest) ? {} : bodySchema(operation);
  const given = Object.entries(sent.properties ?? {}).filter(([name]) => left(name));
  const hasMatch = parameters.some(({ name }) => name === "If-Match");
  return {
    properties: {
      ...Object.fromEntries(query.map((parameter) => [parameter.name, querySchema(parameter)])),
      ...Object.fromEntries(given),
      ...(hasMatch && { ifMatch: { type: "number", description: ifMatch } }),
    },
    required: [
      ...query.filter(({ required }) => required).map(({ name }) => name),
      ...given.map(([name]) => name).filter((name) => sent.required?.includes(name)),
      ...(options.ifMatch === "required" ? ["ifMatch"] : []),
    ],
  };
}

function responseOf(name: string, { responses }: Operation, named: string | undefined) {
  const [, response] = Object.entries(responses).find(([status]) => /^2/.test(status)) ?? [];
  const [[type, body] = []] = Object.entries(response?.content ?? {});
  if (!body) return { kind: "none" } as const;
  if (type !== "application/json") return { kind: "download" } as const;
  const { properties = {} } = resolve(body.schema);
  const lists = Object.entries(properties).filter(([, schema]) => schema.type === "array");
  const [list] = lists;
  const kind = list && "next" in properties ? "page" : list && name === "list" ? "list" : "json";
  return {
    kind,
    type: named ?? nameOf(body.schema) ?? toType(body.schema),
    list: list?.[0] ?? "",
    items: list?.[1].items,
  } as const;
}

/** A description that does not begin with what the operation does needs the summary before it. */
const describe = ({ summary, description }: Operation) =>
  description && /^[A-Z][a-z]+s /.test(description)
    ? description
    : [`${summary}.`, description].filter(Boolean).join(" ");

const bodySchema = ({ requestBody }: Operation) => resolve(requestBody?.content?.["application/json"]?.schema ?? {});

/** The name of the type of the arguments, if there are any besides the positional ones. */
function argumentsOf(options: MethodOptions, { properties, required }: Shape): string | undefined {
  if (options.typed || Object.keys(properties).length === 0) return options.typed;
  const name = argumentTypes[options.operation] ?? pascal(options.operation);
  const text = `export interface ${name} extends RequestOptions ${members(properties, required)}\n`;
  if ((interfaces.get(name) ?? text) !== text) throw new Error(`two interfaces ${name}`);
  interfaces.set(name, text);
  return name;
}

const idsOf = ({ path }: Operation) => [...path.matchAll(/\{(\w+)\}/g)].map(([, id = ""]) => id);
const pathOf = ({ path }: Operation) =>
  `\`${path.replaceAll(/\{(\w+)\}/g, (_, id: string) => `\${encodeURIComponent(${id})}`)}\``;

/** The code of a request's query or body: its members, and the name of the arguments that it takes whole. */
function contentOf(operation: Operation, options: MethodOptions, { properties }: Shape) {
  if (options.body) return { content: ["body"], rest: undefined };
  const name = operation.requestBody ? "body" : "query";
  const rest = options.typed || Object.keys(properties).some((member) => member !== "ifMatch") ? name : undefined;
  const objects = Object.entries(operation.requestBody && !options.typed ? properties : {})
    .filter(([, schema]) => resolve(schema).properties && !nameOf(schema))
    .map(([member]) => `${camel(member)}: body.${camel(member)} && inSnakeCase(body.${camel(member)})`);
  const body = `inSnakeCase(${objects.length > 0 ? `{ ...body, ${objects.join(", ")} }` : "body"})`;
  const given = [
    ...positionalOf(options).map(({ member }) => `${member}: ${camel(member)}`),
    ...Object.entries(options.fixed ?? {}).map(([member, value]) => `${member}: ${JSON.stringify(value)}`),
  ];
  const sent = name === "body" ? body : "query";
  if (given.length > 0)
    return { content: [`${name}: { ${[...given, ...(rest ? [`...${sent}`] : [])].join(", ")} }`], rest };
  return { content: rest ? [`${name}: ${sent}`] : [], rest };
}

/** A method that reads a list, one page or all. */
function writeList(
  name: string,
  operation: Operation,
  { args, needs, shape, response }: Written & { response: ListResponse },
): string {
  const { type, list, items } = response;
  const isPage = /page$/i.test(name);
  const item = items && (nameOf(items) ?? `${type}["${list}"][number]`);
  const cursor = "before" in shape.properties ? `, ({ after }) => (after === undefined ? "before" : "after")` : "";
  const fetch = `transport.json<${type}>({ method: "GET", path: ${pathOf(operation)}, query, signal })`;
  const pages = `paged(({ signal, ...query }: ${args}) => ${fetch}, (page) => ({ items: page.${list}, next: page.next })${cursor})`;
  const parameters = [...idsOf(operation).map((id) => `${id}: string`), `args: ${args}${needs ? "" : " = {}"}`].join(
    ", ",
  );
  const result = isPage ? `Promise<${type}>` : `Items<${item}>`;
  return `${name}: (${parameters}): ${result} => ${pages}.${isPage ? "page" : "all"}(args),\n`;
}

interface Written {
  readonly args: string | undefined;
  /** Whether the arguments cannot be omitted. */
  readonly needs: boolean;
  readonly shape: Shape;
}
type ListResponse = Extract<ReturnType<typeof responseOf>, { readonly type: string }>;

/** A method that sends one request. */
function writeRequest(
  name: string,
  operation: Operation,
  options: MethodOptions,
  { args, needs, shape }: Written,
): string {
  const response = responseOf(name, operation, options.response);
  const match = "ifMatch" in shape.properties;
  const { repeatable, complete } = options;
  const { content, rest } = contentOf(operation, options, shape);
  const request = [
    `method: "${operation.method}"`,
    `path: ${pathOf(operation)}`,
    ...content,
    ...(match ? ["headers: ifMatchHeader(ifMatch)"] : []),
    ...(repeatable ? [`repeatable: ${repeatable === true ? true : `body.${repeatable} !== undefined`}`] : []),
    args ? "signal" : "...options",
  ].join(", ");
  const properties = bodySchema(operation).properties ?? {};
  const parameters = [
    ...idsOf(operation).map((id) => `${id}: ${id === "version" ? "number" : "string"}`),
    ...(options.body ? [`body: ${options.body}`] : []),
    ...positionalOf(options).map(
      ({ member, type }) =>
        `${camel(member)}${options.optional ? "?" : ""}: ${type ?? toType(properties[member] ?? {})}`,
    ),
    args
      ? `{ ${["signal", ...(match ? ["ifMatch"] : []), ...(rest ? [`...${rest}`] : [])].join(", ")} }: ${args}${needs ? "" : " = {}"}`
      : "options: RequestOptions = {}",
  ].join(", ");
  const write = (result: string, value: string) => `${name}: (${parameters}): Promise<${result}> => ${value},\n`;
  if (response.kind === "none" && operation.method === "DELETE" && !match)
    return write("void", `transport.remove(${pathOf(operation)}, options)`);
  if (response.kind === "none") return write("void", `transport.send({ ${request} })`);
  if (response.kind === "download") return write("Download", `transport.download({ ${request} })`);
  const { type, list } = response;
  if (response.kind === "list")
    return write(`${type}["${list}"]`, `transport.json<${type}>({ ${request} }).then((body) => body.${list})`);
  return write(
    type,
    `transport.json({ ${request} }${complete ? `, ({ ${complete} }) => ${complete} !== undefined` : ""})`,
  );
}

/** Writes a method as a member of an object, with its comment. */
export function writeMethod(name: string, method: Method): string {
  const options: MethodOptions = typeof method === "string" ? { operation: method } : method;
  const operation = operations.get(options.operation);
  if (!operation) throw new Error(`openapi.json has no operation ${options.operation}`);
  for (const type of [options.typed, options.response, options.body?.match(/PlanInput|ReviewAnswer/)?.[0]])
    if (type) used.add(type);
  const shape = shapeOf(operation, options);
  const written = {
    args: argumentsOf(options, shape),
    needs: Boolean(options.typed) || shape.required.length > 0,
    shape,
  };
  const response = responseOf(name, operation, options.response);
  const about = (options.about ?? describe(operation)).replaceAll(/`(\w+)`/g, (text, member: string) =>
    member in shape.properties ? `\`${camel(member)}\`` : text,
  );
  const code =
    response.kind === "page"
      ? writeList(name, operation, { ...written, response })
      : writeRequest(name, operation, options, written);
  return comment(about) + code;
}
