import { z } from "zod";
import { text } from "./text.ts";
import { Email } from "./users.ts";

export const lookupLimit = 1_000;

/** Identifies a call: two imports with the same fingerprint are the same call. */
const Fingerprint = z
  .strictObject(
    {
      sha256: z
        .string("must be text")
        .regex(/^[0-9a-fA-F]{64}$/, "must be the SHA-256 of the recording, 64 hexadecimal digits")
        .toLowerCase()
        .meta({ description: "SHA-256 of the recording's bytes, in hexadecimal." }),
      conversation_timestamp: z
        .int("must be Unix time in seconds, an integer")
        .min(0, "must be Unix time in seconds, an integer")
        .max(253_402_300_799, "must be Unix time in seconds, not milliseconds"),
      agent_email: Email,
      campaign_id: text(1, 100),
    },
    'must be an object with exactly the members "sha256", "conversation_timestamp", "agent_email" and "campaign_id"',
  )
  .meta({ id: "Fingerprint" });
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

export const missingReasons = [
  "not_imported",
  "recording_lost",
  "agent_not_found",
  "user_not_agent",
  "campaign_not_found",
] as const;

export const CallsFoundBody = z
  .object({
    calls: z
      .array(
        z
          .object({
            status: z.enum(["present", "failed", "missing", "erased"]).meta({
              description:
                "present: imported. failed: imported, but preparation failed. missing: not imported. erased: erased on request; cannot be imported again.",
            }),
            id: z.uuid().nullable().meta({
              description: "The call's id, also before it is imported. null if the agent or campaign does not exist.",
            }),
            reason: z.enum(missingReasons).optional().meta({
              description:
                "Why the call is missing. recording_lost: the call exists, but its recording is missing or corrupt; import it again to restore the recording. user_not_agent: the address belongs to a user who never was an agent.",
            }),
          })
          .meta({ id: "LookupResult" }),
      )
      .meta({ description: "One result per fingerprint, in request order." }),
  })
  .meta({
    id: "CallsFound",
    examples: [{ calls: [{ status: "missing", id: "0190f3c2-6c0b-7d6e-9b0e-0f6a3b1f2c4d", reason: "not_imported" }] }],
  });
export type CallsFoundBody = z.output<typeof CallsFoundBody>;
