import { findNamed, indexNames, type NameIndex } from "./names.ts";
import { type NamedTime, timeInName } from "./time-in-name.ts";

export interface Agent {
  readonly email: string;
  readonly name: string;
}

export interface Campaign {
  readonly id: string;
  readonly name: string;
}

/** Who and what there is, as names of files may name it. */
export interface Known {
  readonly agents: readonly Agent[];
  readonly campaigns: readonly Campaign[];
  readonly agentByEmail: ReadonlyMap<string, Agent>;
  readonly agentByName: NameIndex<Agent>;
  readonly campaignByName: NameIndex<Campaign>;
}

export function makeKnown(agents: readonly Agent[], campaigns: readonly Campaign[]): Known {
  return {
    agents,
    campaigns,
    agentByEmail: new Map(agents.map((agent) => [agent.email.toLowerCase(), agent])),
    agentByName: indexNames(
      agents.map((agent) => ({
        thing: agent,
        names: [agent.name, agent.email.split("@")[0] ?? "", reversed(agent.name)],
      })),
    ),
    campaignByName: indexNames(campaigns.map((campaign) => ({ thing: campaign, names: [campaign.id, campaign.name] }))),
  };
}

/** "Ann Lee" → "Lee Ann", as telephone systems like to have it. */
const reversed = (name: string) => name.split(/\s+/).reverse().join(" ");

/** What a file's name and its folders say by themselves. */
export interface NameParts {
  readonly time: NamedTime | undefined;
  /** The name, then its folders from the nearest, without extension and time. */
  readonly texts: readonly string[];
}

export function readName(path: string, now = new Date()): NameParts {
  const [file = "", ...folders] = path.split("/").reverse();
  const name = file.replace(/\.[a-z0-9]{1,5}$/i, "");
  const inName = timeInName(name, now);
  // A folder for each day, and the hour in the name.
  const time = inName ?? timeInName(path.slice(0, path.length - file.length) + name, now);
  return { time: time?.time, texts: [inName?.rest ?? name, ...folders] };
}

export interface NamedPeople {
  readonly agent: Agent | undefined;
  readonly campaign: Campaign | undefined;
  /** An address in the name that no agent has. */
  readonly stranger: string | undefined;
}

/** Who and what of those known a name means. */
export function findInName({ texts }: NameParts, known: Known): NamedPeople {
  const addressed = texts.map((text) => findAddress(text, known)).find((found) => found !== undefined);
  const first = <T>(index: NameIndex<T>) =>
    texts.map((text) => findNamed(text, index)).find((found) => found !== undefined);
  return {
    agent: addressed ? addressed.agent : first(known.agentByName),
    stranger: addressed && !addressed.agent ? addressed.email : undefined,
    campaign: first(known.campaignByName),
  };
}

/** What stands around an address may look like a part of it: the longest that an agent has counts. */
function findAddress(text: string, known: Known): { agent: Agent | undefined; email: string } | undefined {
  const match = /([a-z0-9._%+'-]+)@([a-z0-9-]+(?:\.[a-z0-9-]+)+)/i.exec(text);
  const [, local = "", domain = ""] = match ?? [];
  if (!match) return undefined;
  const starts = [0, ...[...local.matchAll(/[-_.+%']+/g)].map(({ index, 0: sign }) => index + sign.length)];
  const ends = [domain.length, ...[...domain.matchAll(/[-.]/g)].map(({ index }) => index).reverse()];
  const emails = starts.flatMap((start) =>
    ends.map((end) => `${local.slice(start)}@${domain.slice(0, end)}`.toLowerCase()),
  );
  const agent = emails.map((email) => known.agentByEmail.get(email)).find((found) => found !== undefined);
  return { agent, email: `${local.replace(/^[-_.+%']+/, "")}@${domain}`.toLowerCase() };
}
