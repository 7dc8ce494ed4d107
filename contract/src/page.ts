import { z } from "zod";

/** A whole number in a query. */
export const countTo = (max: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from 1 to ${max}`)
    .transform(Number)
    .refine((count) => count >= 1 && count <= max, `must be from 1 to ${max}`)
    .default(fallback);
