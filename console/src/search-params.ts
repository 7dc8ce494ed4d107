/** Readable query strings: `?agent=a&agent=b` instead of JSON. Repeated values become arrays. */
export type SearchParams = Readonly<Record<string, string | readonly string[] | undefined>>;

/** For IDs in the URL. */
export const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export function parseSearch(text: string): Record<string, string | string[]> {
  const params = new URLSearchParams(text);
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const values = params.getAll(name);
      return [name, values.length > 1 ? values : (values[0] ?? "")];
    }),
  );
}

export function stringifySearch(search: SearchParams): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    for (const one of [value ?? []].flat()) params.append(name, one);
  }
  return params.size > 0 ? `?${params}` : "";
}
