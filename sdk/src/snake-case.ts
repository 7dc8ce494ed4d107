const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The members as the interface names them; those that are not given are left out. */
export function inSnakeCase(given: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[snakeCase(name), value]])),
  );
}

type Plain = string | number | boolean | Date;

const inText = (value: Plain) => (value instanceof Date ? value.toISOString() : String(value));

/** A query: lists are repeated, records become `name[KEY]`, times are in UTC. */
export function toQuery(given: object): URLSearchParams {
  const query = new URLSearchParams();
  const add = (name: string, value: Plain | readonly Plain[]) => {
    for (const one of [value].flat()) query.append(name, inText(one));
  };
  for (const [name, value] of Object.entries(inSnakeCase(given))) {
    const isRecord = typeof value === "object" && !Array.isArray(value) && !(value instanceof Date);
    if (!isRecord) add(name, value as Plain);
    else for (const [key, one] of Object.entries(value as Record<string, Plain>)) add(`${name}[${key}]`, one);
  }
  return query;
}
