import type { Entry } from "../manifest/entry.ts";
import { hashOf, openHashSet } from "./hash-set.ts";

/** The fields that identify a call. */
export type SeenCall = Pick<Entry, "line" | "file" | "campaignId" | "agentEmail" | "happenedAt">;

/** How a row relates to earlier rows: new, the same recording as another call, or the same call. */
export interface Sighting {
  readonly is: "new" | "same_file" | "same_call";
  /** Line of the first occurrence. */
  readonly line: number;
}

/** Detects duplicates: the recordings and calls seen so far, with their first lines. */
export function openSeenCalls() {
  /** Every recording, with the hash of its first call as the mark. */
  const files = openHashSet();
  /** Further calls of the same recording. Rare. */
  const furtherCalls = openHashSet();

  const callOf = ({ campaignId, agentEmail, happenedAt }: SeenCall) =>
    hashOf(`${happenedAt}\n${agentEmail.toLowerCase()}\n${campaignId}`);
  const furtherOf = (entry: SeenCall) =>
    hashOf(`${entry.happenedAt}\n${entry.agentEmail.toLowerCase()}\n${entry.campaignId}\n${entry.file}`);
  // 0 marks a row that is not a call.
  const markOf = (entry: SeenCall) => callOf(entry).low || 1;

  /** The line of an earlier row with the same call. */
  function firstLineOf(entry: SeenCall): number | undefined {
    const known = files.get(hashOf(entry.file));
    if (!known) return undefined;
    return known.mark === markOf(entry) ? known.line : furtherCalls.get(furtherOf(entry))?.line;
  }

  return {
    /** For a skipped or invalid row that references a recording. */
    addFile: (file: string, line: number): void => files.add(hashOf(file), { line, mark: 0 }),
    hasFile: (file: string): boolean => files.get(hashOf(file)) !== undefined,
    firstLineOf,
    add(entry: SeenCall): Sighting {
      const { line } = entry;
      const file = hashOf(entry.file);
      const known = files.get(file);
      if (!known) {
        files.add(file, { line, mark: markOf(entry) });
        return { is: "new", line };
      }
      const same = firstLineOf(entry);
      if (same !== undefined) return { is: "same_call", line: same };
      furtherCalls.add(furtherOf(entry), { line, mark: 0 });
      return { is: "same_file", line: known.line };
    },
    /** Frees the memory immediately. */
    end(): void {
      files.end();
      furtherCalls.end();
    },
  };
}
export type SeenCalls = ReturnType<typeof openSeenCalls>;
