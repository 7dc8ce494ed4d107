import type { Caller } from "../platform/caller.ts";
import type { Downloads } from "./limit-status.ts";

/** Counts the concurrent downloads of this process. */
export interface DownloadCounter {
  of(caller: Caller): Downloads;
  /** Counts a download. Returns a function that ends it. */
  begin(caller: Caller): () => void;
}

/** All sessions of a user share one limit, so that signing in again does not raise it. */
const callerName = (caller: Caller) => (caller.kind === "key" ? `key ${caller.keyId}` : `user ${caller.userId}`);
const workspaceName = ({ workspaceId }: Caller) => `workspace ${workspaceId}`;

export function openDownloadCounter(): DownloadCounter {
  const counts = new Map<string, number>();
  const countOf = (name: string) => counts.get(name) ?? 0;

  function add(name: string, change: 1 | -1): void {
    const count = countOf(name) + change;
    if (count > 0) counts.set(name, count);
    else counts.delete(name);
  }

  return {
    of: (caller) => ({ caller: countOf(callerName(caller)), workspace: countOf(workspaceName(caller)) }),
    begin(caller) {
      const names = [callerName(caller), workspaceName(caller)];
      for (const name of names) add(name, 1);
      return () => {
        for (const name of names) add(name, -1);
      };
    },
  };
}
