import { z } from "zod";

// PostgreSQL text cannot store NUL characters or unpaired surrogates.
const isStorable = (text: string) => !text.includes("\0") && text.isWellFormed();

/** Text with length limits, not blank, that PostgreSQL can store unchanged. */
export const text = (max: number) =>
  z
    .string("must be text")
    .min(1, "must not be empty")
    .max(max, `must have at most ${max} characters`)
    .refine(isStorable, {
      message: "must not contain NUL characters or broken Unicode",
      params: { code: "not_storable", fix: "Remove these characters." },
    })
    .refine((value) => value.trim() !== "", {
      message: "must not be blank",
      params: { code: "too_short", fix: "Fill it in, or remove it if it is optional." },
    })
    .meta({ minLength: 1, maxLength: max });

const slugForm = /^[a-z][a-z0-9_]{0,59}$/;

/** The id of a section, question or option, or a tag. */
export const Slug = z
  .string("must be text")
  .regex(slugForm, "must start with a lowercase letter and have only a-z, 0-9 and _, at most 60 characters")
  .meta({ example: "greeting" });
