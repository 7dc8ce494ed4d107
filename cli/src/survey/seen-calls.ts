import type { Entry } from "../manifest/entry.ts";
import { hashOf, openHashSet } from "./hash-set.ts";

/** What a row is to the rows before it: new, or the same recording as another call, or the same call. */
export interface Sighting {
  readonly is: "new" | "same_file" | "same_call";
  /** Where it was named first. */
  readonly line: number;
}

/** Remembers which recordings and which calls were named, and where first. */
export function openSeenCalls() {
  /** Each recording, with a mark of the first call that it was named for. */
  const files = openHashSet();
  /** The calls of a recording beyond its first: few. */
  const furtherCalls = openHashSet();

  const callOf = ({ campaignId, agentEmail, happenedAt }: Entry) =>
    hashOf(`${happenedAt}\n${agentEmail.toLowerCase()}\n${campaignId}`);
  const furtherOf = (entry: Entry) =>
    hashOf(`${entry.happenedAt}\n${entry.agentEmail.toLowerCase()}\n${entry.campaignId}\n${entry.file}`);
  // Zero is the mark of a row that is no call.
  const markOf = (entry: Entry) => callOf(entry).low || 1;

  /** The first line of the same call. */
  function firstLineOf(entry: Entry): number | undefined {
    const known = files.get(hashOf(entry.file));
    if (!known) return undefined;
    return known.mark === markOf(entry) ? known.line : furtherCalls.get(furtherOf(entry))?.line;
  }

  return {
    /** A row that is no call, but names a recording. */
    noteFile: (file: string, line: number): void => files.add(hashOf(file), { line, mark: 0 }),
    hasFile: (file: string): boolean => files.get(hashOf(file)) !== undefined,
    note(entry: Entry): Sighting {
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
    /** Gives its memory back at once. It is of no use afterwards. */
    end(): void {
      files.end();
      furtherCalls.end();
    },
  };
}
export type SeenCalls = ReturnType<typeof openSeenCalls>;
