import { z } from "zod";

/** What is wrong with one part of a form or one member of a JSON body. */
export const Issue = z.object({
  part: z.string().meta({ example: "conversation_timestamp" }),
  code: z.string().meta({ example: "milliseconds" }),
  detail: z.string().meta({ example: "Send 1714557600: 1714557600000 is in milliseconds." }),
});
export type Issue = z.output<typeof Issue>;

/** The body of every error answer (RFC 9457, application/problem+json). */
export const Problem = z
  .object({
    type: z.string().meta({ description: "A page of this service that explains the code and how to mend it." }),
    title: z.string(),
    status: z.number().int(),
    code: z.string().meta({ description: "Stable: programs may rely on it." }),
    detail: z.string().meta({ description: "For a person: what was wrong and how to mend it. May change." }),
    request_id: z.string().meta({ description: "Also the header x-request-id. Name it when you ask for help." }),
    limit: z.string().optional().meta({ description: "With 429: which limit was reached.", example: "key_requests" }),
    errors: z.array(Issue).optional().meta({ description: "With 400 and 422: every wrong part or member." }),
  })
  .meta({ id: "Problem" });
export type Problem = z.output<typeof Problem>;
