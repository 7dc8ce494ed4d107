import { latestCallTime } from "@hearback/portable/call-time";
import type { Metadata } from "@hearback/sdk";
import { instantsOf } from "../../ui/time/zoned-time.ts";
import type { FileInspection } from "../inspect-file.ts";
import { type Agent, type Campaign, type Directory, findInName, type NameParts } from "../names/parse-file-name.ts";

/** Values set by the user for one file. They override the file name. */
export interface Overrides {
  readonly agentEmail?: string;
  readonly campaignId?: string;
  readonly at?: Date;
  /** Use the file's modification time. */
  readonly fileTime?: boolean;
  /** Empty: no phone number. */
  readonly phone?: string;
}

/** File to import. */
export interface Item {
  readonly id: number;
  readonly file: File;
  readonly path: string;
  readonly parts: NameParts;
  /** Absent: not checked yet. */
  readonly look?: FileInspection;
  readonly overrides: Overrides;
}

/** Defaults for values that file names lack. */
export interface Defaults {
  /** Time zone of file names. */
  readonly zone: string;
  readonly agentEmail: string | undefined;
  readonly campaignId: string | undefined;
  /** Use the modification time if the name has no time. */
  readonly fileTime: boolean;
  readonly metadata: Metadata;
}

/** Problems that block an import. */
export type Missing = "agent" | "agent_unknown" | "campaign" | "time" | "time_twice" | "time_never" | "time_ahead";

export interface ResolvedRow {
  readonly agent: Agent | undefined;
  readonly campaign: Campaign | undefined;
  readonly at: Date | undefined;
  readonly phone: string | undefined;
  /** Default metadata with the phone number of this file. */
  readonly metadata: Metadata;
  /** Email address in the name that belongs to no agent. */
  readonly unknownEmail: string | undefined;
  readonly missing: readonly Missing[];
}

export interface ResolveContext {
  readonly known: Directory;
  readonly defaults: Defaults;
}

const cache = new WeakMap<Item, { readonly context: ResolveContext; readonly resolved: ResolvedRow }>();

/** Resolves agent, campaign and time of a file: user's value, else file name, else default. */
export function resolveRow(item: Item, context: ResolveContext): ResolvedRow {
  const there = cache.get(item);
  if (there?.context === context) return there.resolved;
  const resolved = resolve(item, context);
  cache.set(item, { context, resolved });
  return resolved;
}

function resolve(item: Item, { known, defaults }: ResolveContext): ResolvedRow {
  const { overrides } = item;
  const named = findInName(item.parts, known);
  const agentEmail =
    overrides.agentEmail ?? named.agent?.email ?? (named.unknownEmail ? undefined : defaults.agentEmail);
  const agent = agentEmail === undefined ? undefined : known.agentByEmail.get(agentEmail.toLowerCase());
  const campaignId = overrides.campaignId ?? named.campaign?.id ?? defaults.campaignId;
  const campaign = known.campaigns.find(({ id }) => id === campaignId);
  const unknownEmail = overrides.agentEmail === undefined ? named.unknownEmail : undefined;
  const time = resolveTime(item, defaults);
  const missing: Missing[] = [
    ...(agent ? [] : [unknownEmail ? ("agent_unknown" as const) : ("agent" as const)]),
    ...(campaign ? [] : ["campaign" as const]),
    ...(typeof time === "string" ? [time] : []),
  ];
  const phone = (overrides.phone ?? item.parts.phone) || undefined;
  return {
    agent,
    campaign,
    unknownEmail,
    missing,
    at: typeof time === "string" ? undefined : time,
    phone,
    metadata: phone ? withPhone(defaults.metadata, phone) : defaults.metadata,
  };
}

/** The key that the CLI's recipes use. */
const phoneKey = "client_phone";

const withPhone = (metadata: Metadata, phone: string): Metadata => [
  { key: phoneKey, value: phone },
  ...metadata.filter(({ key }) => key !== phoneKey),
];

function resolveTime({ overrides, parts, file }: Item, defaults: Defaults): Date | Missing {
  const changedAt = new Date(file.lastModified);
  const said = overrides.at ?? (overrides.fileTime ? changedAt : undefined);
  const at = said ?? timeInZone(parts, defaults.zone) ?? (defaults.fileTime ? changedAt : "time");
  // The server refuses later times.
  return typeof at !== "string" && at.getTime() / 1000 > latestCallTime() ? "time_ahead" : at;
}

function timeInZone({ time }: NameParts, zone: string): Date | Missing | undefined {
  if (!time) return undefined;
  if ("at" in time) return time.at;
  const [moment, another] = instantsOf(time.wall, zone);
  if (!moment) return "time_never";
  return another ? "time_twice" : moment;
}
