import type { AgentsFile } from "./agents-file.ts";
import { emailProblem, maxNameLength, metadataProblems, nameProblem, textProblem } from "./check-values.ts";
import type { CallFields } from "./entry.ts";
import { isFailureColumn } from "./failure-columns.ts";
import { type Defect, isDefect, quote } from "./finding-codes.ts";
import type { Plan } from "./plan-fields.ts";
import { readFileName } from "./recordings/file-name.ts";
import type { Template } from "./template.ts";
import type { ReadTime } from "./times/read-time.ts";

/** A call as read from a row, before its recording is checked. */
export interface ReadCall {
  readonly file: string;
  readonly campaignId: string;
  readonly agentEmail: string;
  readonly agentName: string | undefined;
  readonly happenedAt: number;
  readonly metadata: readonly { readonly key: string; readonly value: string }[];
}

export interface CallReading {
  /** Also set if the row has defects. */
  readonly fields: CallFields;
  /** undefined: the row has defects. */
  readonly call: ReadCall | undefined;
  /** All defects of the row. */
  readonly defects: readonly Defect[];
}

interface ReadCallOptions {
  readonly columns: readonly string[];
  readonly plan: Plan;
  readonly readTime: ReadTime;
  readonly agents: AgentsFile | undefined;
}

const maxCampaignLength = 100;

/** Creates a function that reads a row. It returns `skipped` if the mapping excludes the row. */
export function openCallReader({ columns, plan, readTime, agents }: ReadCallOptions) {
  const { metadata: kept, only, unnamed } = plan;

  return (
    cells: readonly string[],
    cellDefects?: ReadonlyMap<number, Defect>,
  ): CallReading | { readonly skipped: string | undefined } => {
    if (only.some(({ from, values }) => !values.has(from.fill(cells)))) {
      const name = readFileName(plan.file.fill(cells));
      return { skipped: isDefect(name) ? undefined : name.file };
    }
    const invalid = findInvalidCells(cells, columns, cellDefects);
    const defects: Defect[] = [...invalid.values()];

    /** Returns undefined for a defect, and reports it. */
    const report = <T>(value: T | Defect): T | undefined => {
      if (typeof value !== "object" || value === null || !isDefect(value)) return value as T;
      defects.push(value);
      return undefined;
    };
    /** The text of a field; undefined if it is in an invalid cell, which is reported already. */
    const textOf = ({ uses, fill }: Template): string | undefined =>
      uses.some((place) => invalid.has(place)) ? undefined : fill(cells);
    const nameOf = (from: Template | undefined, field: string): string | undefined => {
      const text = from ? textOf(from) : "";
      return text === undefined ? undefined : report(nameProblem(text, field) ?? text);
    };

    const name = nameOf(plan.file, "file");
    const file = name === undefined ? undefined : report(readFileName(name))?.file;
    const agent = readAgent(
      {
        email: nameOf(plan.agentEmail, "agent_email"),
        agent: nameOf(plan.agent, "agent"),
        name: nameOf(plan.agentName, "agent_name"),
      },
      agents,
    );
    defects.push(...agent.defects);
    const time = textOf(plan.time);
    const happenedAt = time === undefined ? undefined : report(time === "" ? timeMissing() : readTime(time));
    const campaign = nameOf(plan.campaign, "campaign");
    const campaignId = campaign === undefined ? undefined : report(campaignProblem(campaign) ?? campaign);
    const metadata: { key: string; value: string }[] = [];
    for (const { key, from } of kept) {
      const value = from.fill(cells);
      if (value !== "") metadata.push({ key, value });
    }
    defects.push(...metadataProblems(metadata));
    for (const place of unnamed)
      if ((cells[place] ?? "").trim() !== "") defects.push(columnUnnamed(place, cells[place] ?? ""));

    const { email: agentEmail, name: agentName } = agent;
    const fields = { file, campaignId, agentEmail, agentName, happenedAt };
    const isComplete =
      defects.length === 0 &&
      file !== undefined &&
      campaignId !== undefined &&
      agentEmail !== undefined &&
      happenedAt !== undefined;
    const call = isComplete ? { file, campaignId, agentEmail, agentName, happenedAt, metadata } : undefined;
    return { fields, call, defects };
  };
}

function findInvalidCells(
  cells: readonly string[],
  columns: readonly string[],
  cellDefects: ReadonlyMap<number, Defect> | undefined,
): ReadonlyMap<number, Defect> {
  const invalid = new Map(cellDefects);
  for (const [place, cell] of cells.entries()) {
    const problem = textProblem(cell, columns[place] ?? "");
    // The columns of a failures file quote the invalid values.
    if (problem && !invalid.has(place) && !isFailureColumn(columns[place] ?? "")) invalid.set(place, problem);
  }
  return invalid;
}

/** Columns that identify an agent. undefined: the cell is invalid, and reported already. */
interface AgentColumns {
  readonly email: string | undefined;
  readonly agent: string | undefined;
  readonly name: string | undefined;
}

interface AgentReading {
  readonly email: string | undefined;
  readonly name: string | undefined;
  readonly defects: readonly Defect[];
}

function readAgent(columns: AgentColumns, agents: AgentsFile | undefined): AgentReading {
  const isTooLong = (columns.name?.length ?? 0) > maxNameLength;
  const defects = isTooLong ? [nameTooLong(columns.name ?? "")] : [];
  const found = identifyAgent(columns, agents);
  if (!found) return { email: undefined, name: undefined, defects };
  if (isDefect(found)) return { email: undefined, name: undefined, defects: [...defects, found] };
  const written = isTooLong ? undefined : columns.name || undefined;
  return { email: found.email, name: written ?? found.name, defects };
}

function identifyAgent(
  { email, agent }: AgentColumns,
  agents: AgentsFile | undefined,
): { readonly email: string; readonly name?: string | undefined } | Defect | undefined {
  if (email === undefined) return undefined;
  if (email !== "") {
    const problem = emailProblem(email);
    return problem ? notEmail(email, problem) : { email, name: agents?.byEmail(email)?.name };
  }
  if (agent === undefined) return undefined;
  if (agent === "") return agentMissing();
  const listed = agents?.byAgent(agent) ?? agents?.byEmail(agent);
  if (listed) return listed;
  if (agents) return notListed(agent, agents.name);
  return emailProblem(agent) ? needsList(agent) : { email: agent };
}

const nameTooLong = (name: string): Defect => ({
  code: "agent_name_too_long",
  detail: `The agent's name has ${name.length} characters; the maximum is ${maxNameLength}: ${quote(name)}.`,
  fix: "Check the column, or shorten the name.",
});

const timeMissing = (): Defect => ({
  code: "time_missing",
  detail: "The row has no time.",
  fix: "Fill in the start time of the call, or remove the row.",
});

function campaignProblem(campaign: string): Defect | undefined {
  if (campaign === "")
    return {
      code: "campaign_missing",
      detail: "The row has no campaign.",
      fix: "Fill it in, or set the campaign of all calls with --campaign.",
    };
  if (campaign.length <= maxCampaignLength) return undefined;
  return {
    code: "campaign_too_long",
    detail: `The campaign ${quote(campaign)} has ${campaign.length} characters; the maximum is ${maxCampaignLength}.`,
    fix: "Check the column. It must contain the campaign id, such as support-fr.",
  };
}

const agentMissing = (): Defect => ({
  code: "agent_missing",
  detail: "The row has no agent.",
  fix: "Fill in the agent (an email address, or an agent id listed in --agents FILE), or remove the row.",
});

const notEmail = (value: string, problem: string): Defect => ({
  code: "agent_not_email",
  detail: `The agent is ${quote(value)}, ${problem}`,
  fix: "Correct the address. If the column contains agent ids, use --map agent=COLUMN and list the agents with --agents FILE.",
});

const needsList = (value: string): Defect => ({
  code: "agent_needs_agents_file",
  detail: `The agent is ${quote(value)}, which is not an email address.`,
  fix: "Map agent ids to email addresses with --agents FILE, a CSV with the columns agent, email and name.",
});

const notListed = (value: string, list: string): Defect => ({
  code: "agent_not_in_agents_file",
  detail: `The agent ${quote(value)} is not in ${list}.`,
  fix: `Add a line for this agent to ${list}.`,
});

const columnUnnamed = (place: number, value: string): Defect => ({
  code: "column_unnamed",
  detail: `Column ${place + 1} contains ${quote(value)} but has no name.`,
  fix: "Name the column in the header, or clear it.",
});
