import { join } from "node:path";
import { createClient } from "@hearback/sdk";
import type { Entry } from "../../manifest/entry.ts";
import { importEntries } from "../import-entries.ts";
import { openJournal } from "../journal.ts";
import { openPace } from "../pace.ts";
import { startProgress } from "../progress.ts";
import type { ImportFailure, ImportNotice } from "../tally.ts";

export interface RunImportOptions {
  readonly url: string;
  readonly folder: string;
  readonly entries: AsyncIterable<Entry>;
  readonly signal?: AbortSignal;
  readonly cancel?: AbortSignal;
  readonly patienceMs?: number;
  /** Another one knows nothing of the runs before. */
  readonly state?: string;
  readonly agentProblems?: ReadonlyMap<string, string>;
}

/** An import from beginning to end, with everything that it says. */
export async function runImport(options: RunImportOptions) {
  const { url, folder, entries, signal, cancel, patienceMs, state = "state", agentProblems } = options;
  const failures: ImportFailure[] = [];
  const notices: ImportNotice[] = [];
  const apiKey = "key";
  const client = createClient({ baseUrl: url, apiKey, retries: { attempts: 1 } });
  const journal = await openJournal({ folder: join(folder, state), service: url, apiKey });
  const pace = openPace({ patienceMs });
  const progress = startProgress({ phase: "importing", total: 0, totalBytes: 0 }, pace);
  const told = {
    onFailure: (failure: ImportFailure) => void failures.push(failure),
    onNotice: (notice: ImportNotice) => void notices.push(notice),
  };
  try {
    const work = { client, entries, journal, pace, progress, agentProblems };
    const counts = await importEntries({ ...work, signal, cancel, ...told });
    return { counts, failures, notices, progress };
  } finally {
    await journal.close();
  }
}
