import { userKey } from "../../access/user-storage.ts";

const name = "last-scorecard";

/** The scorecard that the user reviewed with last, in this browser. */
export function readLastScorecard(userId: string): string | undefined {
  try {
    return localStorage.getItem(userKey(userId, name)) ?? undefined;
  } catch {
    return undefined;
  }
}

export function writeLastScorecard(userId: string, scorecardId: string): void {
  try {
    localStorage.setItem(userKey(userId, name), scorecardId);
  } catch {
    // Storage is unavailable: the reviewer chooses again.
  }
}
