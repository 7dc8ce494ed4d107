import { canonicalJson } from "@hearback/scoring/canonical-json";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { lint } from "@hearback/scoring/lint";
import { parseDocument } from "@hearback/scoring/parse-document";
import type { Client, ScorecardDetailBody } from "@hearback/sdk";
import type { Command } from "commander";
import { findByName, findScorecard, findVersion } from "../../scorecards/find-scorecard.ts";
import { countErrors, formatFinding } from "../../scorecards/format-findings.ts";
import { readScorecard, requireValid } from "../../scorecards/read-file.ts";
import { CommandError } from "../../terminal/command-error.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { marks } from "../../terminal/style.ts";
import { sanitize } from "../../terminal/text-width.ts";
import { pluralize } from "../../terminal/units.ts";
import { type Context, globalOptions } from "../context.ts";

interface PushOptions {
  readonly file: string;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly create?: boolean | undefined;
  readonly publish?: boolean | undefined;
}

interface Push {
  readonly context: Context;
  readonly command: Command;
  readonly client: Client;
  readonly document: ScorecardDocument;
}

interface Outcome {
  readonly id: string;
  readonly draft: "created" | "replaced" | "unchanged";
  /** The version with the content of the file; null: it is in the draft only. */
  readonly version: number | null;
}

/** Makes the file the draft of a scorecard, and with `publish` its next version. */
export async function pushScorecard(context: Context, command: Command, options: PushOptions): Promise<void> {
  const document = await readFile(context, options);
  const { client } = await context.connect(command);
  const push = { context, command, client, document };
  const target = await findTarget(push, options);
  report(push, target ? await update(push, target, options) : await create(push, options));
}

/** Reads the file and refuses it if the linter finds errors. Findings go to stderr. */
async function readFile(context: Context, { file, name }: PushOptions): Promise<ScorecardDocument> {
  const { parsed, placeOf } = await readScorecard(file);
  const read = requireValid(parsed, file, "a valid scorecard");
  const document = name === undefined ? read : requireValid(parseDocument({ ...read, name }), "--name", "a valid name");
  const findings = lint(document);
  const errors = countErrors(findings);
  if (errors === 0) return document;
  for (const finding of findings)
    context.stderr.write(`${formatFinding(finding, file, placeOf(finding.path), context.errorStyle)}\n`);
  throw new CommandError(`${file} has ${pluralize(errors, "error")}. Nothing was sent.`, {
    exitCode: exitCodes.someFailed,
    code: "scorecard_invalid",
    fix: `Fix them, then check the file: hearback scorecards lint ${file}`,
  });
}

/** The scorecard to change; undefined: create one. */
async function findTarget(
  { client, context: { signal }, document: { name } }: Push,
  { id, create }: PushOptions,
): Promise<ScorecardDetailBody | undefined> {
  if (id !== undefined) return findScorecard(client, id, signal);
  const found = await findByName(client, name, signal);
  if (found) return client.scorecards.find(found.id, { signal });
  if (create) return undefined;
  throw new CommandError(`There is no scorecard with the name "${name}".`, {
    exitCode: exitCodes.someFailed,
    code: "scorecard_not_found",
    fix: "To create it, add --create. To change another one, add --id ID.",
  });
}

async function create({ client, context, command, document }: Push, { publish }: PushOptions): Promise<Outcome> {
  context.note(command, `Creating the scorecard "${sanitize(document.name)}".`);
  const created = await client.scorecards.create({ document, signal: context.signal });
  const version = publish ? await publishDraft(client, created, context.signal) : null;
  return { id: created.id, draft: "created", version };
}

async function update(push: Push, target: ScorecardDetailBody, { publish, file }: PushOptions): Promise<Outcome> {
  const { client, context, command, document } = push;
  const { signal, errorStyle } = context;
  const { id, name, draft, draft_number, latest_version } = target;
  if (!draft && latest_version !== null && (await isPublished(push, target)))
    return { id, draft: "unchanged", version: latest_version };
  const what = draft ? `Replacing the draft of ${draft.changed_at}` : "Adding a draft";
  context.note(command, `${what} in "${sanitize(name)}" (${id}).`);
  const saved = await client.scorecards.saveDraft(id, document, { ifMatch: draft_number ?? undefined, signal });
  for (const finding of saved.draft?.findings ?? [])
    context.note(command, formatFinding(finding, file, undefined, errorStyle));
  return { id, draft: "replaced", version: publish ? await publishDraft(client, saved, signal) : null };
}

async function isPublished({ client, document, context }: Push, target: ScorecardDetailBody): Promise<boolean> {
  const latest = await findVersion(client, target, undefined, context.signal);
  return canonicalJson(latest.document) === canonicalJson(document);
}

async function publishDraft(client: Client, scorecard: ScorecardDetailBody, signal: AbortSignal): Promise<number> {
  const { id, draft_number } = scorecard;
  return (await client.scorecards.publish(id, { ifMatch: draft_number ?? undefined, signal })).version;
}

function report({ context, command, document }: Push, outcome: Outcome): void {
  const text = globalOptions(command).json
    ? JSON.stringify({ name: document.name, ...outcome })
    : `${marks(context.style).good} ${describe(document.name, outcome)}`;
  context.print(text);
}

function describe(title: string, { id, draft, version }: Outcome): string {
  const name = `"${sanitize(title)}" (${id})`;
  if (draft === "unchanged") return `Nothing to do: version ${version} of ${name} is the same.`;
  if (version === null) return `Saved the draft of ${name}. To publish it, add --publish.`;
  return `Published version ${version} of ${name}.`;
}
