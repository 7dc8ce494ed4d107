import { z } from "zod";

/** A moment, with its zone. */
export const Time = z.iso
  .datetime({ offset: true, error: "must be a time such as 2026-11-15T08:00:00Z" })
  .transform((value) => new Date(value));
