import type { AgentsFile } from "./agents-file.ts";
import { emailProblem, longestName, metadataProblem, nameProblem, textProblem } from "./check-values.ts";
import { readFileName } from "./file-name.ts";
import { type Defect, isDefect, quote } from "./finding-codes.ts";
import type { Plan } from "./plan-fields.ts";
import type { ReadTime } from "./read-time.ts";

/** What a row says of a call, before its recording was looked at. */
export interface ReadCall {
  readonly file: string;
  readonly campaignId: string;
  readonly agentEmail: string;
  readonly agentName: string | undefined;
  readonly happenedAt: number;
  readonly metadata: readonly { readonly key: string; readonly value: string }[];
}

export interface CallReading {
  /** Where its recording is, if the row says so, also where something else is wrong. */
  readonly file: string | undefined;
  readonly call: ReadCall | undefined;
  /** Everything that is wrong with the row, not only the first. */
  readonly defects: readonly Defect[];
}

interface ReadCallOptions {
  readonly columns: readonly string[];
  readonly plan: Plan;
  readonly readTime: ReadTime;
  readonly agents: AgentsFile | undefined;
}

const longestCampaign = 100;

/** Makes the reader of rows: cells → call, "skipped" where the row is no call for us. */
export function openCallReader({ columns, plan, readTime, agents }: ReadCallOptions) {
  const { metadata: kept, only, unnamed } = plan;
  const names = Object.entries({
    file: plan.file,
    agent: plan.agent,
    agent_email: plan.agentEmail,
    agent_name: plan.agentName,
    campaign: plan.campaign,
  }).flatMap(([field, from]) => (from ? [{ field, from }] : []));

  return (cells: readonly string[]): CallReading | { readonly skipped: string | undefined } => {
    const name = readFileName(plan.file.fill(cells));
    const file = isDefect(name) ? undefined : name.file;
    if (only.some(({ from, values }) => !values.has(from.fill(cells)))) return { skipped: file };

    const defects: Defect[] = [];
    for (const [place, cell] of cells.entries()) {
      const problem = textProblem(cell, columns[place] ?? "");
      if (problem) defects.push(problem);
    }
    for (const { field, from } of names) {
      const problem = defects.length === 0 && nameProblem(from.fill(cells), field);
      if (problem) defects.push(problem);
    }
    // A broken cell is told once, and not a second time as a wrong name or a wrong time.
    if (defects.length > 0) return { file: undefined, call: undefined, defects };

    if (isDefect(name)) defects.push(name);
    const agent = readAgent(plan, agents, cells);
    if (isDefect(agent)) defects.push(agent);
    const happenedAt = time(plan.time.fill(cells), readTime);
    if (typeof happenedAt !== "number") defects.push(happenedAt);
    const campaignId = plan.campaign.fill(cells);
    const campaignDefect = campaignProblem(campaignId);
    if (campaignDefect) defects.push(campaignDefect);
    const metadata: { key: string; value: string }[] = [];
    for (const { key, from } of kept) {
      const value = from.fill(cells);
      if (value !== "") metadata.push({ key, value });
    }
    const metadataDefect = metadataProblem(metadata);
    if (metadataDefect) defects.push(metadataDefect);
    const lost = unnamed.find((place) => (cells[place] ?? "").trim() !== "");
    if (lost !== undefined) defects.push(columnUnnamed(lost, cells[lost] ?? ""));

    const whole = defects.length === 0 && file !== undefined && !isDefect(agent) && typeof happenedAt === "number";
    if (!whole) return { file, call: undefined, defects };
    return {
      file,
      call: { file, campaignId, agentEmail: agent.email, agentName: agent.name, happenedAt, metadata },
      defects,
    };
  };
}

function readAgent(
  plan: Plan,
  agents: AgentsFile | undefined,
  cells: readonly string[],
): { email: string; name: string | undefined } | Defect {
  const written = plan.agentName?.fill(cells) || undefined;
  if (written !== undefined && written.length > longestName)
    return {
      code: "agent_name_too_long",
      detail: `The agent's name has ${written.length} characters; ${longestName} are the most: ${quote(written)}.`,
      fix: "Check the column, and shorten the name.",
    };
  const said = plan.agentEmail?.fill(cells) ?? "";
  if (said !== "") {
    const problem = emailProblem(said);
    if (problem) return notEmail(said, problem);
    return { email: said, name: written ?? agents?.byEmail(said)?.name };
  }
  const agent = plan.agent?.fill(cells) ?? "";
  if (agent === "") return agentMissing();
  const listed = agents?.byAgent(agent) ?? agents?.byEmail(agent);
  if (listed) return { email: listed.email, name: written ?? listed.name };
  if (!agents && !emailProblem(agent)) return { email: agent, name: written };
  return agents ? notListed(agent, agents.name) : needsList(agent);
}

const time = (value: string, readTime: ReadTime): number | Defect =>
  value === ""
    ? { code: "time_missing", detail: "The row has no time.", fix: "Fill in when the call began, or remove the row." }
    : readTime(value);

function campaignProblem(campaign: string): Defect | undefined {
  if (campaign === "")
    return {
      code: "campaign_missing",
      detail: "The row has no campaign.",
      fix: "Fill it in, or state the campaign of all calls with --campaign.",
    };
  if (campaign.length <= longestCampaign) return undefined;
  return {
    code: "campaign_too_long",
    detail: `The campaign ${quote(campaign)} has ${campaign.length} characters; ${longestCampaign} are the most.`,
    fix: "Check the column: the campaign is its id, such as support-fr.",
  };
}

const agentMissing = (): Defect => ({
  code: "agent_missing",
  detail: "The row has no agent.",
  fix: "Fill in the agent's e-mail address, or remove the row.",
});

const notEmail = (value: string, problem: string): Defect => ({
  code: "agent_not_email",
  detail: `The agent is ${quote(value)}, ${problem}`,
  fix: "Correct the address; if the column has names or numbers, say so (--map agent=COLUMN) and list the agents with --agents FILE.",
});

const needsList = (value: string): Defect => ({
  code: "agent_needs_agents_file",
  detail: `The agent is ${quote(value)}, and that is no e-mail address.`,
  fix: "Say who is meant with --agents FILE, a CSV with the columns agent, email and name.",
});

const notListed = (value: string, list: string): Defect => ({
  code: "agent_not_in_agents_file",
  detail: `The agent ${quote(value)} is not in ${list}.`,
  fix: `Add a line for this agent to ${list}.`,
});

const columnUnnamed = (place: number, value: string): Defect => ({
  code: "column_unnamed",
  detail: `The cell number ${place + 1} has ${quote(value)}, and the column has no name.`,
  fix: "Name the column in the first line, or empty it.",
});
