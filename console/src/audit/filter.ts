import type { AuditAction, AuditFilter } from "@hearback/sdk";
import { type SearchParams, uuid } from "../search-params.ts";
import { fromFieldTime } from "../ui/time/field-time.ts";
import { isDay } from "../ui/time/is-day.ts";
import { isAuditAction } from "./actions.ts";

/** Filters from the URL. Days are in the reader's time zone. */
export interface AuditSearch {
  readonly who?: string | undefined;
  readonly action: readonly AuditAction[];
  /** "TYPE:ID", for example call:0190… */
  readonly subject?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const subjectPattern = /^[a-z_]{1,50}:[A-Za-z0-9._-]{1,200}$/;

/** Whether the text is a valid subject filter. An email address, for example, is not an ID. */
export const isSubject = (text: string): boolean => subjectPattern.test(text);

/** Parses the filters of the URL. Invalid values are dropped. */
export function readAuditSearch({ who, action, subject, from, to }: SearchParams): AuditSearch {
  const matching = (value: unknown, form: RegExp) =>
    typeof value === "string" && form.test(value) ? value : undefined;
  return {
    who: matching(who, uuid),
    action: [action ?? []].flat().filter(isAuditAction).slice(0, 20),
    subject: matching(subject, subjectPattern),
    from: isDay(from) ? from : undefined,
    to: isDay(to) ? to : undefined,
  };
}

export const isFiltered = ({ who, action, subject, from, to }: AuditSearch) =>
  Boolean(who || action.length > 0 || subject || from || to);

export function toAuditFilter({ who, action, subject, from, to }: AuditSearch, zone: string): AuditFilter {
  return {
    actor: who,
    action: action.length > 0 ? action : undefined,
    subject,
    from: from ? fromFieldTime(from, zone) : undefined,
    to: to ? fromFieldTime(to, zone, 1) : undefined,
  };
}
