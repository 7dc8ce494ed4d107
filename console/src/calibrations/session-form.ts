import type { CreateCalibration } from "@hearback/sdk";
import { isDay } from "../ui/time/is-day.ts";
import { endOfDay } from "../ui/time/zoned-time.ts";

export const maxCalls = 50;
export const maxParticipants = 50;
const minParticipants = 2;

export interface SessionForm {
  readonly name: string;
  readonly scorecardId: string | null;
  readonly participantIds: readonly string[];
  readonly expertId: string | null;
  /** Empty: no due date. */
  readonly dueDay: string;
  readonly callIds: readonly string[];
}

/** Why the form cannot be sent. Text fields are checked by the browser. */
type FormProblem = "fewParticipants" | "fewCalls" | "manyCalls" | "noScorecard";

export function findProblem({ scorecardId, participantIds, callIds }: SessionForm): FormProblem | undefined {
  if (scorecardId === null) return "noScorecard";
  if (participantIds.length < minParticipants) return "fewParticipants";
  if (callIds.length === 0) return "fewCalls";
  return callIds.length > maxCalls ? "manyCalls" : undefined;
}

/** The end of the day in the reader's zone. null: no due date. */
export const toDueAt = (day: string, zone: string): Date | null => (isDay(day) ? endOfDay(day, zone) : null);

/** Undefined: the form has a problem. */
export function toSession(form: SessionForm, zone: string): CreateCalibration | undefined {
  const { name, scorecardId, participantIds, callIds } = form;
  if (scorecardId === null || findProblem(form)) return undefined;
  const expertId = form.expertId !== null && participantIds.includes(form.expertId) ? form.expertId : null;
  return { name: name.trim(), scorecardId, participantIds, callIds, expertId, dueAt: toDueAt(form.dueDay, zone) };
}
