import type { AuditAction, AuditFilter } from "@hearback/sdk";
import type { SearchParams } from "../search-params.ts";
import { fromFieldTime } from "../ui/field-time.ts";
import { isAuditAction } from "./actions.ts";

/** What the address bar says about which entries are wanted. Days are the reader's. */
export interface AuditSearch {
  readonly who?: string | undefined;
  readonly action: readonly AuditAction[];
  /** A kind and an id: call:0190… */
  readonly subject?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const day = /^[1-9]\d{3}-\d{2}-\d{2}$/;
const theSubject = /^[a-z_]{1,50}:[A-Za-z0-9._-]{1,200}$/;

/** Whether it is a day of the calendar, of a year with four digits: 2026-11-15. */
export const isDay = (text: string): boolean => day.test(text) && !Number.isNaN(Date.parse(text));

/** Whether it can be asked for. An e-mail address, for instance, is no id. */
export const isSubject = (text: string): boolean => theSubject.test(text);

/** Whatever somebody typed into the address bar: what cannot be meant is left out. */
export function readAuditSearch({ who, action, subject, from, to }: SearchParams): AuditSearch {
  const matching = (value: unknown, form: RegExp) =>
    typeof value === "string" && form.test(value) ? value : undefined;
  return {
    who: matching(who, uuid),
    action: [action ?? []].flat().filter(isAuditAction).slice(0, 20),
    subject: matching(subject, theSubject),
    from: typeof from === "string" && isDay(from) ? from : undefined,
    to: typeof to === "string" && isDay(to) ? to : undefined,
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
