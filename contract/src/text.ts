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

/** Line breaks and other control characters, and those that reverse the direction of what follows, also outside of the text. */
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** A name on one line, in lists, mails and file names. It may look like markup: every output escapes it. */
export const nameUpTo = (max: number) =>
  text(1, max)
    .refine((name) => name.trim() !== "", "must not be blank")
    .refine((name) => !unprintable.test(name), "must be one line without control characters or direction overrides");

/** A display name. */
export const Name = nameUpTo(200);
