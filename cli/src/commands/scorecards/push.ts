import { canonicalJson } from "@hearback/scoring/canonical-json";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { type Finding, lint } from "@hearback/scoring/lint";
import { parseDocument } from "@hearback/scoring/parse-document";
import type { Client, ScorecardBody, ScorecardDetailBody } from "@hearback/sdk";
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
  /** Absent: those of an existing scorecard stay; a new one is for all campaigns. */
  readonly campaign?: readonly string[] | undefined;
  readonly publish?: boolean | undefined;
}

interface Push {
  readonly context: Context;
  readonly command: Command;
  readonly client: Client;
  readonly document: ScorecardDocument;
  readonly campaignIds: readonly string[] | undefined;
  readonly publish: boolean;
  /** Prints to stderr, where --json allows only errors. */
  note(text: string): void;
  show(findings: readonly Finding[]): void;
}

interface Outcome {
  readonly id: string;
  readonly draft: "created" | "replaced" | "unchanged";
  /** The version with the content of the file; null: it is in the draft only. */
  readonly version: number | null;
  /** Empty: all campaigns. */
  readonly campaign_ids: readonly string[];
}

/** Makes the file the draft of a scorecard, and with `publish` its next version. */
export async function pushScorecard(context: Context, command: Command, options: PushOptions): Promise<void> {
  const { file, name, campaign: campaignIds, publish = false } = options;
  const { parsed, placeOf } = await readScorecard(file);
  const read = requireValid(parsed, file, "a valid scorecard");
  const document = name === undefined ? read : requireValid(parseDocument({ ...read, name }), "--name", "a valid name");
  const note = (text: string) => {
    if (!globalOptions(command).json) context.note(command, text);
  };
  const show = (findings: readonly Finding[]) => {
    for (const finding of findings) note(formatFinding(finding, file, placeOf(finding.path), context.errorStyle));
  };
  refuseErrors(file, lint(document), show);
  const { client } = await context.connect(command);
  const push = { context, command, client, document, campaignIds, publish, note, show };
  const target = await findTarget(push, options);
  report(push, target ? await update(push, target) : await create(push));
}

function refuseErrors(file: string, findings: readonly Finding[], show: Push["show"]): void {
  const errors = countErrors(findings);
  if (errors === 0) return;
  show(findings);
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

async function create(push: Push): Promise<Outcome> {
  const { client, context, document, campaignIds, note } = push;
  note(`Creating the scorecard "${sanitize(document.name)}".`);
  const created = await client.scorecards.create({ document, campaignIds, signal: context.signal });
  const { id, campaign_ids } = created;
  return { id, draft: "created", version: await finish(push, created), campaign_ids };
}

async function update(push: Push, target: ScorecardDetailBody): Promise<Outcome> {
  const { client, context, document, note } = push;
  const { id, name, draft, draft_number, latest_version } = target;
  // First: a published version is for calls at once.
  const { campaign_ids } = await setCampaigns(push, target);
  if (!draft && latest_version !== null && (await isPublished(push, target)))
    return { id, draft: "unchanged", version: latest_version, campaign_ids };
  const what = draft ? `Replacing the draft of ${draft.changed_at}` : "Adding a draft";
  note(`${what} in "${sanitize(name)}" (${id}).`);
  const change = { ifMatch: draft_number ?? undefined, signal: context.signal };
  const saved = await client.scorecards.saveDraft(id, document, change);
  return { id, draft: "replaced", version: await finish(push, saved), campaign_ids };
}

async function setCampaigns(push: Push, target: ScorecardDetailBody): Promise<Pick<ScorecardBody, "campaign_ids">> {
  const { client, context, campaignIds } = push;
  if (!campaignIds || campaignIds.toSorted().join() === target.campaign_ids.toSorted().join()) return target;
  return client.scorecards.change(target.id, { campaignIds, signal: context.signal });
}

async function isPublished({ client, document, context }: Push, target: ScorecardDetailBody): Promise<boolean> {
  const latest = await findVersion(client, target, undefined, context.signal);
  return canonicalJson(latest.document) === canonicalJson(document);
}

/** Shows what the service found in the saved draft and, if requested, publishes exactly this draft. */
async function finish({ client, context, publish, show }: Push, saved: ScorecardDetailBody): Promise<number | null> {
  show(saved.draft?.findings ?? []);
  if (!publish) return null;
  const { version } = await client.scorecards.publish(saved.id, {
    ifMatch: saved.draft_number ?? undefined,
    signal: context.signal,
  });
  return version;
}

function report({ context, command, document }: Push, outcome: Outcome): void {
  const text = globalOptions(command).json
    ? JSON.stringify({ name: document.name, ...outcome })
    : `${marks(context.style).good} ${describe(document.name, outcome)}`;
  context.print(text);
}

function describe(title: string, { id, draft, version, campaign_ids }: Outcome): string {
  const name = `"${sanitize(title)}" (${id})`;
  const campaigns = `for ${campaign_ids.length === 0 ? "all campaigns" : campaign_ids.join(", ")}`;
  if (draft === "unchanged")
    return `Nothing to publish: version ${version} of ${name} is the same. It is ${campaigns}.`;
  if (version === null) return `Saved the draft of ${name}, ${campaigns}. To publish it, add --publish.`;
  return `Published version ${version} of ${name} ${campaigns}.`;
}
