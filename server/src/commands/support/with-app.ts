import { InvalidArgumentError } from "commander";
import type { App } from "../../platform/app.ts";
import { isUuid } from "../../platform/is-uuid.ts";

/** Opens the app, runs the work and closes the app. */
export type WithApp = (work: (app: App) => Promise<void>) => Promise<void>;

/** Options of nearly every command. */
export interface Common {
  readonly workspace: string;
  readonly json?: boolean;
}

export function parseId(text: string): string {
  const id = text.toLowerCase();
  if (!isUuid(id)) {
    throw new InvalidArgumentError(
      "Use an id such as 3f0c5f5e-7a55-4f0e-9d8e-0c8f5c3f8a11. The `list` commands show the ids.",
    );
  }
  return id;
}

export function parseTime(text: string): Date {
  const parsed = new Date(text);
  if (Number.isNaN(parsed.getTime()) || !/T.*(Z|[+-]\d\d:\d\d)$/.test(text)) {
    throw new InvalidArgumentError("Use a date with time and time zone, such as 2027-01-31T00:00:00Z.");
  }
  return parsed;
}
