import { editDistance } from "@hearback/scoring/closest-name";

/** Other names that clients send instead of ours, without case and separators. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  file: ["audio", "recording", "sound", "wav", "media", "upload"],
  conversation_timestamp: ["time", "date", "startedat", "starttime", "calltime", "happenedat"],
  agent_email: ["user", "useremail", "agentid"],
};

export interface Renaming {
  /** The name that was sent and is unknown. */
  readonly from: string;
  readonly to: string;
}

/** Pairs unknown names with the names that were probably meant, such as agentEmail with agent_email. Each name is used once. */
export function matchNames(unknown: readonly string[], candidates: readonly string[]): Renaming[] {
  const taken = new Set<string>();
  return unknown.flatMap((from) => {
    const to = similarName(
      from,
      candidates.filter((each) => !taken.has(each)),
    );
    if (to === undefined) return [];
    taken.add(to);
    return [{ from, to }];
  });
}

function similarName(name: string, candidates: readonly string[]): string | undefined {
  const sent = plain(name);
  const ranked = candidates.map((candidate) => ({ candidate, distance: distanceOf(sent, candidate) }));
  const [best] = ranked.sort((a, b) => a.distance - b.distance);
  return best && best.distance <= 3 ? best.candidate : undefined;
}

/** 0: the same but for case and separators. 1 and 2: that many typing errors, or a synonym. 3: one contains the other. */
function distanceOf(sent: string, candidate: string): number {
  const known = plain(candidate);
  if (sent === known) return 0;
  const edits = editDistance(sent, known);
  if (edits <= Math.min(2, known.length / 3)) return edits;
  if (otherNames[candidate]?.includes(sent)) return 2;
  const contains = Math.min(sent.length, known.length) >= 4 && (sent.includes(known) || known.includes(sent));
  return contains ? 3 : Number.POSITIVE_INFINITY;
}

const plain = (name: string) =>
  name
    .slice(0, 100)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
