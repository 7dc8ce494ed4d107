import { type AdaptiveConcurrency, openAdaptiveConcurrency } from "../../import/concurrency/adaptive-concurrency.ts";
import { startProgress } from "../../import/progress.ts";
import { type Preflight, preflight } from "../../preflight/preflight.ts";
import { preflightText } from "../../preflight/preflight-text.ts";
import { type ImportState, isJson, recordFailure, timed, watchProgress } from "./state.ts";

/** Checks the whole manifest, prints the findings and records invalid rows. Imports nothing. */
export async function preflightManifest(run: ImportState): Promise<Preflight> {
  const { context, command, manifest, options, failures } = run;
  // Fail fast in a terminal. Unattended runs wait for the service.
  const waits = !context.stderr.isTTY && !options.dryRun;
  const { client } = await context.connect(command, waits ? { retries: {} } : {});
  const concurrency = openAdaptiveConcurrency({ max: 1, giveUpAfterMs: options.maxWait * 60_000 });
  const progress = startProgress({ phase: "reading", total: 0, totalBytes: 0 }, concurrency);
  const view = watchProgress(run, () => ({ ...progress, atOnce: 0 }));
  try {
    if (waits) await waitForService(run, concurrency);
    const [found, seconds] = await timed(() =>
      preflight(manifest, {
        client,
        createAgents: options.createAgents ?? false,
        signal: context.signal,
        onProgress({ rows, bytes }) {
          progress.done = rows;
          progress.doneBytes = bytes;
        },
      }),
    );
    run.seconds.reading = seconds;
    for await (const { row, errors } of found.invalidRows()) recordFailure(run, row, errors);
    view.stop();
    if (!isJson(run)) {
      context.print(preflightText(found, { style: context.style, findingsFile: failures.file }).join("\n"));
    }
    return found;
  } finally {
    view.stop();
    client.close();
  }
}

async function waitForService({ context, command }: ImportState, concurrency: AdaptiveConcurrency): Promise<void> {
  const { signal } = context;
  const { client } = await context.connect(command, { retries: { attempts: 1 } });
  try {
    await concurrency.run(() => client.limits.find({ signal }), { signal });
  } finally {
    client.close();
  }
}

export const countInvalidRows = ({ rows, skipped, importable }: Preflight): number => rows - skipped - importable;
