import { exportFormats } from "@hearback/contract";
import { type Command, InvalidArgumentError, Option } from "commander";
import { problems } from "../audit/diagnose-entry.ts";
import { exportEntries } from "../audit/export-entries.ts";
import { findHead, type Head } from "../audit/read-entries.ts";
import { verifyLog } from "../audit/verify-log.ts";
import { operator } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { certificateProblems, verifyCertificates } from "../privacy/verify-certificates.ts";
import { workspaceIds } from "../workspaces/list-workspaces.ts";
import { pluralize, print, progress, writeOut } from "./support/output.ts";
import { parseId, type WithApp } from "./support/with-app.ts";

const toText = ({ number, hash }: Head) => `${number}:${hash.toString("hex")}`;

function position(text: string): Head {
  const [, number = "", hash = ""] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text) ?? [];
  if (!hash) throw new InvalidArgumentError("Use NUMBER:HASH, as printed by `hearback-server audit head`.");
  return { number: Number(number), hash: Buffer.from(hash, "hex") };
}

async function verify(app: App, options: { workspace?: string; expect?: Head; json?: boolean }): Promise<void> {
  const { workspace, expect: expected, json } = options;
  const began = performance.now();
  const show = progress("read");
  const wrong = [];
  const certificates = [];
  let workspaces = 0;
  let entries = 0;
  for await (const id of workspace ? [workspace] : workspaceIds(app.db)) {
    const log = await verifyLog(app, id, {
      ...(expected && { expected }),
      onProgress: (count) => show(entries + count),
    });
    workspaces += 1;
    entries += log.entries;
    if (log.wrong) wrong.push({ workspace_id: id, ...log.wrong });
    for (const { erasureId, problem } of await verifyCertificates(app, id)) {
      certificates.push({ workspace_id: id, erasure_id: erasureId, problem });
    }
  }
  const seconds = (performance.now() - began) / 1000;
  const perSecond = Math.round(entries / seconds);
  const found = wrong.length + certificates.length;
  const lines = [
    `Verified ${pluralize(entries, "entry", "entries")} of ${pluralize(workspaces, "workspace")} in ${seconds.toFixed(1)} s: ${found === 0 ? "no problems" : pluralize(found, "problem")}.`,
    ...wrong.map((log) => `${log.workspace_id}: entry ${log.number} ${problems[log.problem]} (${log.problem}).`),
    ...certificates.map(
      ({ workspace_id, erasure_id, problem }) =>
        `${workspace_id}: the certificate of erasure ${erasure_id} ${certificateProblems[problem]} (${problem}).`,
    ),
  ];
  print({ workspaces, entries, entries_per_second: perSecond, wrong, certificates }, lines.join("\n"), json);
  if (found > 0) process.exitCode = 1;
}

export function auditCommands(program: Command, withApp: WithApp): void {
  const audit = program.command("audit").description("verify and export the audit log");

  audit
    .command("verify")
    .description("recompute every hash and report the first invalid entry of each workspace")
    .option("--workspace <id>", "only this workspace", parseId)
    .option("--expect <number:hash>", "check against an earlier head of the log; requires --workspace", position)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExits with 1 if it finds a problem. The owner of the database could rewrite the whole log. To detect that, store the\noutput of `audit head` out of their reach and pass it to --expect. See docs/audit.md.",
    )
    .action((options: { workspace?: string; expect?: Head; json?: boolean }) => {
      if (options.expect && !options.workspace)
        audit.error("--expect requires --workspace, because each workspace has its own log.");
      return withApp((app) => verify(app, options));
    });

  audit
    .command("head")
    .description("print the head of the log as NUMBER:HASH, to store elsewhere")
    .option("--workspace <id>", "only this workspace", parseId)
    .option("--json", "print JSON")
    .action(({ workspace, json }: { workspace?: string; json?: boolean }) =>
      withApp(async (app) => {
        for await (const id of workspace ? [workspace] : workspaceIds(app.db)) {
          const head = await inWorkspace(app, id, (tx) => findHead(tx, id));
          const text = head ? toText(head) : `0:${"0".repeat(64)}`;
          print({ workspace_id: id, head: text }, workspace ? text : `${id} ${text}`, json);
        }
      }),
    );

  audit
    .command("export")
    .description("write the log of a workspace to standard output, including the text that each hash covers")
    .requiredOption("--workspace <id>", "the workspace", parseId)
    .addOption(new Option("--format <format>", "csv or jsonl").choices(exportFormats).default("jsonl"))
    .option("--bom", "csv: start with a byte order mark, so that Excel detects UTF-8")
    .addHelpText("after", "\nExample:\n  hearback-server audit export --workspace … > audit.jsonl")
    .action(({ workspace, format, bom = false }: { workspace: string; format: "csv" | "jsonl"; bom?: boolean }) =>
      withApp(async (app) => {
        const options = { format, bom, separator: ",", filter: {}, after: undefined } as const;
        await writeOut(await exportEntries(app, { workspaceId: workspace, actor: operator }, options));
      }),
    );
}
