import { z } from "zod";

/** A problem with one form part, query parameter or member of a JSON body. */
export const Issue = z
  .object({
    part: z.string().meta({ example: "conversation_timestamp" }),
    code: z.string().meta({ example: "milliseconds" }),
    detail: z.string().meta({ example: "Send 1714557600: 1714557600000 is in milliseconds." }),
  })
  .meta({ id: "Issue" });
export type Issue = z.output<typeof Issue>;

/** The body of every error response (RFC 9457, application/problem+json). */
export const Problem = z
  .object({
    type: z
      .string()
      .meta({ description: "Path of a page on this server that explains the error code and how to fix it." }),
    title: z.string(),
    status: z.number().int(),
    code: z.string().meta({ description: "Error code for programs. Stable. GET /errors/{code} explains it." }),
    detail: z.string().meta({ description: "Human-readable: what went wrong and how to fix it. May change." }),
    request_id: z
      .string()
      .meta({ description: "Same as the x-request-id header. Include it when you contact support." }),
    limit: z
      .string()
      .optional()
      .meta({ description: "With 429: the limit that was reached.", example: "key_requests" }),
    errors: z.array(Issue).optional().meta({ description: "With 400 and 422: every invalid part or member." }),
  })
  .meta({ id: "Problem" });
export type Problem = z.output<typeof Problem>;
