import type { Metadata, PlanBody, PlanInput } from "@hearback/sdk";
import { parseDuration } from "../calls/filters/parse-duration.ts";
import { clock } from "../ui/time/use-format.ts";

export interface ReviewerRow {
  /** null: not chosen yet. */
  readonly userId: string | null;
  readonly capacity: number | undefined;
}

/** The fields of the editor, as they are typed. */
export interface PlanForm {
  readonly name: string;
  readonly scorecardId: string | null;
  readonly campaignIds: readonly string[];
  readonly teamIds: readonly string[];
  readonly minDuration: string;
  readonly maxDuration: string;
  readonly metadata: Metadata;
  readonly perAgent: number | undefined;
  readonly period: PlanBody["period"];
  readonly timeZone: string;
  readonly monthlyLimit: number | undefined;
  readonly reviewers: readonly ReviewerRow[];
  readonly dueDays: number | undefined;
  readonly secondPercent: number | undefined;
  readonly skipTeamLead: boolean;
  readonly closeDelayHours: number | undefined;
}

export const defaultCapacity = 20;

export const newPlanForm = (timeZone: string, scorecardId: string | null): PlanForm => ({
  name: "",
  scorecardId,
  campaignIds: [],
  teamIds: [],
  minDuration: "",
  maxDuration: "",
  metadata: [],
  perAgent: 3,
  period: "week",
  timeZone,
  monthlyLimit: undefined,
  reviewers: [{ userId: null, capacity: defaultCapacity }],
  dueDays: 7,
  secondPercent: 0,
  skipTeamLead: false,
  closeDelayHours: 0,
});

const durationText = (seconds: number | null) => (seconds === null ? "" : clock(seconds * 1000));

export const formOf = (plan: PlanBody): PlanForm => ({
  name: plan.name,
  scorecardId: plan.scorecard_id,
  campaignIds: plan.campaign_ids,
  teamIds: plan.team_ids,
  minDuration: durationText(plan.min_duration_s),
  maxDuration: durationText(plan.max_duration_s),
  metadata: plan.metadata,
  perAgent: plan.per_agent,
  period: plan.period,
  timeZone: plan.time_zone,
  monthlyLimit: plan.monthly_limit ?? undefined,
  reviewers: plan.reviewers.map(({ user_id, capacity }) => ({ userId: user_id, capacity })),
  dueDays: plan.due_days,
  secondPercent: plan.second_percent,
  skipTeamLead: plan.skip_team_lead,
  closeDelayHours: plan.close_delay_hours,
});

export const isDuration = (text: string) => text.trim() === "" || parseDuration(text) !== undefined;

/** Whether the duration fields contradict each other. */
export function isShorterThanMin({ minDuration, maxDuration }: PlanForm): boolean {
  const [min, max] = [parseDuration(minDuration), parseDuration(maxDuration)];
  return min !== undefined && max !== undefined && max < min;
}

/** The plan to send. Undefined: fields are missing or invalid, and the browser or the fields say so. */
export function toPlanInput(form: PlanForm): PlanInput | undefined {
  const { scorecardId, perAgent, dueDays, secondPercent, closeDelayHours, minDuration, maxDuration } = form;
  if (!scorecardId || !isDuration(minDuration) || !isDuration(maxDuration) || isShorterThanMin(form)) return undefined;
  const numbers = [perAgent, dueDays, secondPercent, closeDelayHours, form.monthlyLimit ?? 1];
  if (!numbers.every((number) => Number.isInteger(number))) return undefined;
  return {
    name: form.name.trim(),
    scorecard_id: scorecardId,
    campaign_ids: [...form.campaignIds],
    team_ids: [...form.teamIds],
    min_duration_s: parseDuration(minDuration) ?? null,
    max_duration_s: parseDuration(maxDuration) ?? null,
    metadata: form.metadata.filter(({ key, value }) => key !== "" || value !== ""),
    per_agent: perAgent ?? 1,
    period: form.period,
    time_zone: form.timeZone,
    monthly_limit: form.monthlyLimit ?? null,
    reviewers: form.reviewers.flatMap(({ userId, capacity }) =>
      userId && capacity ? [{ user_id: userId, capacity }] : [],
    ),
    due_days: dueDays ?? 1,
    second_percent: secondPercent ?? 0,
    skip_team_lead: form.skipTeamLead,
    close_delay_hours: closeDelayHours ?? 0,
  };
}

/** The fields that affect the preview. Omits incomplete metadata entries. */
export function toPreviewInput(form: PlanForm): Partial<PlanInput> | undefined {
  const input = toPlanInput(form);
  if (!input || input.per_agent < 1 || input.per_agent > 50 || (input.second_percent ?? 0) > 20) return undefined;
  const { name: _, ...rest } = input;
  return { ...rest, metadata: form.metadata.filter(({ key, value }) => key !== "" && value !== "") };
}
