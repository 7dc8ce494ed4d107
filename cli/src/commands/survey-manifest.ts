import type { Progress } from "../import/progress.ts";
import { type Survey, survey } from "../survey/survey.ts";
import { surveyWords } from "../survey/survey-words.ts";
import { failRow, type ImportRun, inJson, timed, watchProgress } from "./import-run.ts";

/** The first look at everything: says what was found, notes the rows that are wrong, changes nothing. */
export async function surveyManifest(run: ImportRun, failuresFile: string): Promise<Survey> {
  const { context, command, manifest, options, failures } = run;
  // Nobody looks on: a service that is being restarted is waited for. Whoever looks on wants to know at once.
  const { client } = await context.connect(command, context.stderr.isTTY ? {} : { retries: {} });
  const counts = { done: 0, doneBytes: 0, sentBytes: 0, imported: 0, present: 0, failed: 0 };
  const progress: Progress = { phase: "reading", total: 0, totalBytes: 0, ...counts, atOnce: 0, waiting: undefined };
  const view = watchProgress(run, () => progress);
  try {
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
    await failures.publish();
    view.stop();
    if (!inJson(run)) {
      context.print(surveyWords(found, { style: context.style, findingsFile: failuresFile }).join("\n"));
    }
    return found;
  } finally {
    view.stop();
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
