import { gzipSync } from "node:zlib";

/** Gzipped JavaScript that a page may load before it is shown. */
export const maxScriptBytes = 250_000;

/** Fails the build if a page loads more JavaScript than the budget. */
export function checkScriptBudget(
  scriptsOf: Readonly<Record<string, readonly string[]>>,
  codeOf: (name: string) => string,
) {
  const sizes = new Map<string, number>();
  const sizeOf = (name: string) => {
    const size = sizes.get(name) ?? gzipSync(codeOf(name), { level: 9 }).length;
    sizes.set(name, size);
    return size;
  };
  for (const [path, scripts] of Object.entries(scriptsOf)) {
    const bytes = scripts.reduce((sum, name) => sum + sizeOf(name), 0);
    if (bytes <= maxScriptBytes) continue;
    const largest = scripts.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, 5);
    const named = largest.map((name) => `${name} (${sizeOf(name)})`).join(", ");
    throw new Error(
      `The page ${path} loads ${bytes} bytes of gzipped JavaScript, more than its budget of ${maxScriptBytes}. ` +
        `Load code that its first paint does not need with import(). The largest files: ${named}.`,
    );
  }
}
