import { z } from "zod";
import { text } from "./text.ts";
import { Email } from "./users.ts";

export const lookupLimit = 1_000;

/** What makes a call that call. */
const Fingerprint = z.strictObject(
  {
    sha256: z
      .string("must be text")
      .regex(/^[0-9a-fA-F]{64}$/, "must be the SHA-256 of the recording, 64 hexadecimal digits")
      .toLowerCase()
      .meta({ description: "Of the recording's bytes, in hexadecimal." }),
    conversation_timestamp: z
      .int("must be Unix time in seconds, an integer")
      .min(0, "must be Unix time in seconds, an integer")
      .max(253_402_300_799, "must be Unix time in seconds, not milliseconds"),
    agent_email: Email,
    campaign_id: text(1, 100),
  },
  'must be an object with exactly the members "sha256", "conversation_timestamp", "agent_email" and "campaign_id"',
);
export type Fingerprint = z.output<typeof Fingerprint>;

export const LookupCallsBody = z
  .strictObject({
    fingerprints: z
      .array(Fingerprint, "must be an array of fingerprints")
      .min(1, "must not be empty")
      .max(lookupLimit, `must have at most ${lookupLimit} entries`),
  })
  .meta({
    id: "LookupCalls",
    examples: [
      {
        fingerprints: [
          {
            sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            conversation_timestamp: 1714557600,
            agent_email: "ann@example.com",
            campaign_id: "support-fr",
          },
        ],
      },
    ],
  });

export const missingReasons = ["not_imported", "agent_not_found", "campaign_not_found"] as const;

export const CallsFoundBody = z
  .object({
    calls: z
      .array(
        z.object({
          status: z.enum(["present", "failed", "missing", "erased"]).meta({
            description:
              "present: it is here. failed: it is here and could not be prepared. missing: import it. erased: it was erased on request and is not taken again.",
          }),
          id: z
            .uuid()
            .nullable()
            .meta({ description: "The id the call has, or will have; null: unknown agent or campaign." }),
          reason: z.enum(missingReasons).optional().meta({ description: "Why it is missing." }),
        }),
      )
      .meta({ description: "One for each fingerprint, in their order." }),
  })
  .meta({ id: "CallsFound" });
export type CallsFoundBody = z.output<typeof CallsFoundBody>;
