import { z } from "zod";

// PostgreSQL text cannot store NUL characters or unpaired surrogates.
const isStorable = (text: string) => !text.includes("\0") && text.isWellFormed();

/** Text with length limits that PostgreSQL can store unchanged. */
export const text = (min: number, max: number) =>
  z
    .string("must be text")
    .min(min, min === 1 ? "must not be empty" : `must have at least ${min} characters`)
    .max(max, `must have at most ${max} characters`)
    .refine(isStorable, "must not contain NUL characters or broken Unicode")
    .meta({ minLength: min, maxLength: max });

/** A display name. */
export const Name = text(1, 200).refine((name) => name.trim() !== "", "must not be blank");
