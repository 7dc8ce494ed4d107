const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Converts member names to snake_case and drops undefined members. */
export function inSnakeCase(input: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => (value === undefined ? [] : [[snakeCase(name), value]])),
  );
}

type Scalar = string | number | boolean | Date;

/** JSON would make invalid dates and NaN null, which can mean "no limit" or "never". */
function requireValid<Value>(name: string, value: Value): Value {
  if (value instanceof Date && Number.isNaN(value.getTime())) throw new TypeError(`${name} is not a valid date`);
  if (typeof value === "number" && !Number.isFinite(value))
    throw new TypeError(`${name} is not a valid number: ${value}`);
  return value;
}

const toText = (value: Scalar) => (value instanceof Date ? value.toISOString() : String(value));

/** Builds query parameters: arrays are repeated, records become `name[KEY]`, times are in UTC. */
export function toQuery(input: object): URLSearchParams {
  const query = new URLSearchParams();
  const add = (name: string, value: Scalar | readonly Scalar[]) => {
    for (const item of [value].flat()) query.append(name, toText(requireValid(name, item)));
  };
  for (const [name, value] of Object.entries(inSnakeCase(input))) {
    const isRecord = typeof value === "object" && !Array.isArray(value) && !(value instanceof Date);
    if (!isRecord) add(name, value as Scalar);
    else for (const [key, item] of Object.entries(value as Record<string, Scalar>)) add(`${name}[${key}]`, item);
  }
  return query;
}

export const toJson = (body: unknown): string =>
  JSON.stringify(body, function (this: Record<string, unknown>, name: string, value: unknown) {
    // The value of a date has already been converted.
    requireValid(name, this[name]);
    return value;
  });

/** In seconds. */
export const toUnixTime = (name: string, at: Date | number): number =>
  requireValid(name, at) instanceof Date ? Math.floor(at.valueOf() / 1000) : at.valueOf();
