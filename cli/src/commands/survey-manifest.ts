import { openPace, type Pace } from "../import/pace.ts";
import { startProgress } from "../import/progress.ts";
import { type Survey, survey } from "../survey/survey.ts";
import { surveyWords } from "../survey/survey-words.ts";
import { failRow, type ImportRun, inJson, timed, watchProgress } from "./import-run.ts";

/** The first look at everything: says what was found, notes the rows that are wrong, changes nothing. */
export async function surveyManifest(run: ImportRun): Promise<Survey> {
  const { context, command, manifest, options, failures } = run;
  // Whoever looks on wants to know at once that the service is away; a night job waits for it.
  const isPatient = !context.stderr.isTTY && !options.dryRun;
  const { client } = await context.connect(command, isPatient ? { retries: {} } : {});
  const pace = openPace({ most: 1, patienceMs: options.patience * 60_000 });
  const progress = startProgress({ phase: "reading", total: 0, totalBytes: 0 }, pace);
  const view = watchProgress(run, () => ({ ...progress, atOnce: 0 }));
  try {
    if (isPatient) await waitForService(run, pace);
    const [found, seconds] = await timed(() =>
      survey(manifest, {
        client,
        createAgents: options.createAgents ?? false,
        signal: context.signal,
        onProgress({ rows, bytes }) {
          progress.done = rows;
          progress.doneBytes = bytes;
        },
        onFinding(finding) {
          const { level, line, cells } = finding;
          if (level === "error" && line !== undefined && cells) failRow(run, { ...finding, line });
        },
      }),
    );
    run.seconds.reading = seconds;
    if (found.unknownAgents.size > 0) await failUnknownAgents(run, found);
    view.stop();
    if (!inJson(run)) {
      context.print(surveyWords(found, { style: context.style, findingsFile: failures.file }).join("\n"));
    }
    return found;
  } finally {
    view.stop();
    client.close();
  }
}

async function waitForService({ context, command }: ImportRun, pace: Pace): Promise<void> {
  const { signal } = context;
  const { client } = await context.connect(command, { retries: { attempts: 1 } });
  try {
    await pace.run(() => client.limits.find({ signal }), { signal });
  } finally {
    client.close();
  }
}

/** The survey names each agent once; the file of failures names each row. */
async function failUnknownAgents(run: ImportRun, { unknownAgents }: Survey): Promise<void> {
  for await (const item of run.manifest.entries(run.context.signal)) {
    if ("code" in item || run.failedLines.has(item.line)) continue;
    if (!unknownAgents.has(item.agentEmail.toLowerCase())) continue;
    const detail = `There is no agent "${item.agentEmail}" in this workspace.`;
    failRow(run, { ...item, code: "agent_unknown", detail, fix: "Correct the address, or add --create-agents." });
  }
}

/** How many rows cannot be imported. */
export const wrongRows = ({ rows, skipped, importable }: Survey): number => rows - skipped - importable;
