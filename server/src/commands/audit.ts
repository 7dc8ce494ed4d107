import { exportFormats } from "@hearback/contract";
import { type Command, InvalidArgumentError, Option } from "commander";
import { exportEntries } from "../audit/export-entries.ts";
import { findHead, type Head } from "../audit/read-entries.ts";
import { verifyLog } from "../audit/verify-log.ts";
import { problems } from "../audit/what-is-wrong.ts";
import { operator } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { workspaceIds } from "../workspaces/list-workspaces.ts";
import { print, progress, writeOut } from "./output.ts";
import { anId, type WithApp } from "./with-app.ts";

const toText = ({ number, hash }: Head) => `${number}:${hash.toString("hex")}`;

function position(text: string): Head {
  const [, number = "", hash = ""] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text) ?? [];
  if (!hash) throw new InvalidArgumentError("Write NUMBER:HASH, as `hearback-server audit head` printed it.");
  return { number: Number(number), hash: Buffer.from(hash, "hex") };
}

async function verify(app: App, options: { workspace?: string; expect?: Head; json?: boolean }): Promise<void> {
  const { workspace, expect: expected, json } = options;
  const began = performance.now();
  const show = progress("read");
  const wrong = [];
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
  }
  const seconds = (performance.now() - began) / 1000;
  const perSecond = Math.round(entries / seconds);
  const lines = [
    `${entries.toLocaleString("en")} entries of ${workspaces.toLocaleString("en")} workspaces in ${seconds.toFixed(1)} s: ${wrong.length === 0 ? "all are as they were written." : `${wrong.length} logs are not as they were written.`}`,
    ...wrong.map((one) => `${one.workspace_id}: entry ${one.number} ${problems[one.problem]} (${one.problem}).`),
  ];
  print({ workspaces, entries, entries_per_second: perSecond, wrong }, lines.join("\n"), json);
  if (wrong.length > 0) process.exitCode = 1;
}

export function auditCommands(program: Command, withApp: WithApp): void {
  const audit = program.command("audit").description("the audit log: prove it, note where it ends, export it");

  audit
    .command("verify")
    .description("compute every hash of the log again and name the first entry that is wrong in each workspace")
    .option("--workspace <id>", "only this workspace", anId)
    .option("--expect <number:hash>", "where the log ended at an earlier time; needs --workspace", position)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nEnds with 1 if something is wrong. Whoever owns the database could write the whole log anew: keep what\n`audit head` prints where they cannot reach it, and give it to --expect. docs/audit.md explains it.",
    )
    .action((options: { workspace?: string; expect?: Head; json?: boolean }) => {
      if (options.expect && !options.workspace) audit.error("--expect needs --workspace: each has a log of its own.");
      return withApp((app) => verify(app, options));
    });

  audit
    .command("head")
    .description("print where the log ends, as NUMBER:HASH, to be kept elsewhere")
    .option("--workspace <id>", "only this workspace", anId)
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
    .description("write the log of a workspace to standard output, with the text that each hash covers")
    .requiredOption("--workspace <id>", "the workspace", anId)
    .addOption(new Option("--format <format>", "csv or jsonl").choices(exportFormats).default("jsonl"))
    .option("--bom", "csv: begin with a byte order mark, by which Excel knows UTF-8")
    .addHelpText("after", "\nExample:\n  hearback-server audit export --workspace … > audit.jsonl")
    .action(({ workspace, format, bom = false }: { workspace: string; format: "csv" | "jsonl"; bom?: boolean }) =>
      withApp(async (app) => {
        const options = { format, bom, separator: ",", filter: {}, after: undefined } as const;
        await writeOut(await exportEntries(app, { workspaceId: workspace, actor: operator }, options));
      }),
    );
}
