import { join } from "node:path";
import { createClient } from "@hearback/sdk";
import type { Entry } from "../../manifest/entry.ts";
import { openAdaptiveConcurrency } from "../concurrency/adaptive-concurrency.ts";
import { importEntries } from "../import-entries.ts";
import type { ImportFailure, ImportNotice } from "../import-stats.ts";
import { openJournal } from "../journal/journal.ts";
import { startProgress } from "../progress.ts";

export interface RunImportOptions {
  readonly url: string;
  readonly folder: string;
  readonly entries: AsyncIterable<Entry>;
  readonly signal?: AbortSignal;
  readonly cancel?: AbortSignal;
  readonly giveUpAfterMs?: number;
  /** State folder. Another name starts without a journal. */
  readonly state?: string;
  readonly agentProblems?: ReadonlyMap<string, string>;
}

/** Runs a complete import and collects its reports. */
export async function runImport(options: RunImportOptions) {
  const { url, folder, entries, signal, cancel, giveUpAfterMs, state = "state", agentProblems } = options;
  const failures: ImportFailure[] = [];
  const notices: ImportNotice[] = [];
  const apiKey = "key";
  const client = createClient({ baseUrl: url, apiKey, retries: { attempts: 1 } });
  const journal = await openJournal({ folder: join(folder, state), service: url, apiKey });
  const concurrency = openAdaptiveConcurrency({ giveUpAfterMs });
  const progress = startProgress({ phase: "importing", total: 0, totalBytes: 0 }, concurrency);
  const callbacks = {
    onFailure: (failure: ImportFailure) => void failures.push(failure),
    onNotice: (notice: ImportNotice) => void notices.push(notice),
  };
  try {
    const work = { client, entries, journal, concurrency, progress, agentProblems };
    const counts = await importEntries({ ...work, signal, cancel, ...callbacks });
    return { counts, failures, notices, progress };
  } finally {
    await journal.close();
  }
}
