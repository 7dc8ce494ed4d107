import { findNamed, indexNames, type NameIndex } from "./name-index.ts";
import { phoneInName } from "./phone-in-name.ts";
import { type NamedTime, timeInName } from "./time-in-name.ts";

export interface Agent {
  readonly email: string;
  readonly name: string;
}

export interface Campaign {
  readonly id: string;
  readonly name: string;
}

/** Agents and campaigns that file names are matched against. */
export interface Directory {
  readonly agents: readonly Agent[];
  readonly campaigns: readonly Campaign[];
  readonly agentByEmail: ReadonlyMap<string, Agent>;
  readonly agentByName: NameIndex<Agent>;
  readonly campaignByName: NameIndex<Campaign>;
}

export function makeDirectory(agents: readonly Agent[], campaigns: readonly Campaign[]): Directory {
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

/** "Ann Lee" → "Lee Ann", as phone systems write it. */
const reversed = (name: string) => name.split(/\s+/).reverse().join(" ");

/** Parsed file path. */
export interface NameParts {
  readonly time: NamedTime | undefined;
  /** File name, then folders from the innermost, without extension and time. */
  readonly texts: readonly string[];
  readonly phone: string | undefined;
}

export function parseFileName(path: string, now = new Date()): NameParts {
  const [file = "", ...folders] = path.split("/").reverse();
  const name = file.replace(/\.[a-z0-9]{1,5}$/i, "");
  const inName = timeInName(name, now);
  // Date in the folders, time in the name.
  const time = inName ?? timeInName(path.slice(0, path.length - file.length) + name, now);
  const text = inName?.rest ?? name;
  return { time: time?.time, texts: [text, ...folders], phone: phoneInName(text) };
}

export interface NameMatches {
  readonly agent: Agent | undefined;
  readonly campaign: Campaign | undefined;
  /** Email address in the name that belongs to no agent. */
  readonly unknownEmail: string | undefined;
}

/** Finds the agent and the campaign that a name refers to. */
export function findInName({ texts }: NameParts, known: Directory): NameMatches {
  const addressed = texts.map((text) => findAddress(text, known)).find((found) => found !== undefined);
  const first = <T>(index: NameIndex<T>) =>
    texts.map((text) => findNamed(text, index)).find((found) => found !== undefined);
  return {
    agent: addressed ? addressed.agent : first(known.agentByName),
    unknownEmail: addressed && !addressed.agent ? addressed.email : undefined,
    campaign: first(known.campaignByName),
  };
}

/** Neighbouring text may look like part of the address. The longest address of a known agent wins. */
function findAddress(text: string, known: Directory): { agent: Agent | undefined; email: string } | undefined {
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
