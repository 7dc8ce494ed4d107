import { requireStorableJson } from "../platform/database/require-storable-json.ts";

type Draft = Readonly<Record<string, unknown>>;

const maxNameLength = 120;
/** A published document has at most 200 KB as canonical JSON. */
const maxBytes = 300_000;

/** The draft as it is stored. Throws if it cannot be. */
export function storableDraft(given: Draft): Draft {
  requireStorableJson("document", given, maxBytes);
  // As it is read again: without -0.
  return JSON.parse(JSON.stringify(given)) as Draft;
}

/** The name in a draft, which may be incomplete. */
export function draftName({ name }: Draft): string {
  const given = typeof name === "string" ? name.trim().slice(0, maxNameLength) : "";
  return given || "Untitled scorecard";
}
