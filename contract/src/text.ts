import { z } from "zod";

// PostgreSQL keeps neither NUL nor half of a surrogate pair, and no person means to send one.
const keepable = (text: string) => !text.includes("\0") && text.isWellFormed();

/** A text of bounded length that can be stored as it was sent. */
export const text = (min: number, max: number) =>
  z
    .string("must be text")
    .min(min, min === 1 ? "must not be empty" : `must have at least ${min} characters`)
    .max(max, `must have at most ${max} characters`)
    .refine(keepable, "must not contain NUL characters or broken Unicode")
    .meta({ minLength: min, maxLength: max });

/** What a person calls something. */
export const Name = text(1, 200).refine((name) => name.trim() !== "", "must not be blank");
