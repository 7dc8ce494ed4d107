import type { Metadata } from "@hearback/sdk";
import { momentsOf } from "../ui/zoned-time.ts";
import type { FirstLook } from "./look-at-file.ts";
import { type Agent, type Campaign, findInName, type Known, type NameParts } from "./read-name.ts";

/** What somebody said about one file. It counts more than its name. */
export interface Given {
  readonly agentEmail?: string;
  readonly campaignId?: string;
  readonly at?: Date;
  /** When the file was last changed is to be taken. */
  readonly fileTime?: boolean;
}

/** A file that is to become a call. */
export interface Item {
  readonly id: number;
  readonly file: File;
  readonly path: string;
  readonly parts: NameParts;
  /** Absent: nobody has looked yet. */
  readonly look?: FirstLook;
  readonly given: Given;
}

/** What holds for all files, where their names do not say it. */
export interface Choices {
  /** In which the times in names are read. */
  readonly zone: string;
  readonly agentEmail: string | undefined;
  readonly campaignId: string | undefined;
  /** Where the name has no time, take when the file was last changed. */
  readonly fileTime: boolean;
  readonly metadata: Metadata;
}

/** What is missing before a file can be imported. */
export type Missing = "agent" | "agent_unknown" | "campaign" | "time" | "time_twice" | "time_never" | "time_ahead";

export interface Settled {
  readonly agent: Agent | undefined;
  readonly campaign: Campaign | undefined;
  readonly at: Date | undefined;
  /** An address in the name that no agent has. */
  readonly stranger: string | undefined;
  readonly missing: readonly Missing[];
}

export interface Knowing {
  readonly known: Known;
  readonly choices: Choices;
}

const cache = new WeakMap<Item, { readonly knowing: Knowing; readonly settled: Settled }>();

/** Whose call a file is, of which campaign and when: as somebody said, or else its name, or else what holds for all. */
export function settleRow(item: Item, knowing: Knowing): Settled {
  const there = cache.get(item);
  if (there?.knowing === knowing) return there.settled;
  const settled = settle(item, knowing);
  cache.set(item, { knowing, settled });
  return settled;
}

function settle(item: Item, { known, choices }: Knowing): Settled {
  const { given } = item;
  const named = findInName(item.parts, known);
  const agentEmail = given.agentEmail ?? named.agent?.email ?? (named.stranger ? undefined : choices.agentEmail);
  const agent = agentEmail === undefined ? undefined : known.agentByEmail.get(agentEmail.toLowerCase());
  const campaignId = given.campaignId ?? named.campaign?.id ?? choices.campaignId;
  const campaign = known.campaigns.find(({ id }) => id === campaignId);
  const stranger = given.agentEmail === undefined ? named.stranger : undefined;
  const time = settleTime(item, choices);
  const missing: Missing[] = [
    ...(agent ? [] : [stranger ? ("agent_unknown" as const) : ("agent" as const)]),
    ...(campaign ? [] : ["campaign" as const]),
    ...(typeof time === "string" ? [time] : []),
  ];
  return { agent, campaign, stranger, missing, at: typeof time === "string" ? undefined : time };
}

const dayMs = 24 * 3600 * 1000;

function settleTime({ given, parts, file }: Item, choices: Choices): Date | Missing {
  const changedAt = new Date(file.lastModified);
  const said = given.at ?? (given.fileTime ? changedAt : undefined);
  const at = said ?? timeInZone(parts, choices.zone) ?? (choices.fileTime ? changedAt : "time");
  // The service takes no call that took place later than that.
  return typeof at !== "string" && at.getTime() > Date.now() + dayMs ? "time_ahead" : at;
}

function timeInZone({ time }: NameParts, zone: string): Date | Missing | undefined {
  if (!time) return undefined;
  if ("at" in time) return time.at;
  const [moment, another] = momentsOf(time.wall, zone);
  if (!moment) return "time_never";
  return another ? "time_twice" : moment;
}
