/** Prints JSON with two spaces of indentation, and on one line what fits into 120 columns. */
export function printJson(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const isArray = Array.isArray(value);
  const printed = isArray
    ? value.map((item) => printJson(item, inner))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => `${JSON.stringify(name)}: ${printJson(member, inner)}`);
  const line = printed.join(", ");
  const short = isArray || printed.length === 0 ? line : ` ${line} `;
  const [open, close] = isArray ? "[]" : "{}";
  if (!line.includes("\n") && indent.length + short.length <= 110) return `${open}${short}${close}`;
  return `${open}\n${printed.map((member) => `${inner}${member}`).join(",\n")}\n${indent}${close}`;
}
