import { z } from "zod";

/** An RFC 3339 time with a zone. */
export const Time = z.iso
  .datetime({ offset: true, error: "must be a time such as 2026-11-15T08:00:00Z" })
  .transform((value) => new Date(value));
