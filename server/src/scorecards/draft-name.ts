const maxLength = 120;

/** The name in a draft, which may be incomplete. */
export function draftName({ name }: Readonly<Record<string, unknown>>): string {
  const given = typeof name === "string" ? name.trim().slice(0, maxLength) : "";
  return given || "Untitled scorecard";
}
