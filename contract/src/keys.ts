import { z } from "zod";
import { CampaignId } from "./campaigns.ts";
import { exampleOf, integerUpTo, opaqueCursor, opaqueNext } from "./page.ts";
import { Name } from "./text.ts";
import { Time } from "./time.ts";

export const scopes = ["import", "read", "review", "manage", "listen_original"] as const;
export type Scope = (typeof scopes)[number];

const Scopes = z
  .array(z.enum(scopes, `must be one of ${scopes.join(", ")}`), `must be an array of ${scopes.join(", ")}`)
  .min(1, "must have at least one entry")
  .max(10, "must have at most 10 entries")
  .transform((given) => scopes.filter((scope) => given.includes(scope)));
const CampaignIds = z
  .array(CampaignId, "must be an array of campaign ids, or null for all campaigns")
  .min(1, "must have at least one entry; omit it for all campaigns")
  .max(100, "must have at most 100 entries")
  .transform((given) => [...new Set(given)])
  .nullable();
const FutureTime = Time.refine((time) => time.getTime() > Date.now(), "must be in the future");

const campaignsDescription = "Restricts the key to these campaigns. It cannot see or use anything else.";

export const CreateKeyBody = z
  .strictObject({
    name: Name.meta({ description: "What the key is used for.", example: "nightly import" }),
    scopes: Scopes.meta({
      description:
        "import: create agents and import calls. read: read data and play back calls. review: read and write scorecards. manage: change data and settings. listen_original: with read, also hear original recordings of campaigns whose sound is masked.",
    }),
    campaign_ids: CampaignIds.default(null).meta({ description: campaignsDescription }),
    expires_at: FutureTime.nullable()
      .default(null)
      .meta({ description: "When the key expires. Omit for a key that does not expire." }),
  })
  .meta({ id: "CreateKey", examples: [{ name: "nightly import", scopes: ["import"] }] });

/** Scopes and campaigns of a key cannot be changed after creation. */
export const ChangeKeyBody = z
  .strictObject({
    name: Name.optional(),
    expires_at: FutureTime.nullable()
      .optional()
      .meta({ description: "New expiry, in the future. null: the key does not expire." }),
  })
  .meta({ id: "ChangeKey", examples: [{ name: "nightly import, Lyon" }] });

export const RotateKeyBody = z
  .strictObject({
    overlap_hours: z
      .number("must be a number")
      .min(0, "must be at least 0")
      .max(168, "must be at most 168")
      .default(24)
      .meta({ description: "How long the old key keeps working after the rotation." }),
    expires_at: FutureTime.nullable().optional().meta({
      description: "When the new key expires. Omit to give it the same lifetime as the old key.",
    }),
  })
  .meta({ id: "RotateKey", examples: [{ overlap_hours: 24 }] });

export const KeyBody = z
  .object({
    id: z.uuid(),
    name: z.string(),
    scopes: z.array(z.enum(scopes)),
    campaign_ids: z
      .array(z.string())
      .nullable()
      .meta({ description: `${campaignsDescription} null: all campaigns.` }),
    created_at: z.iso.datetime(),
    created_by: z.uuid().nullable().meta({
      description: "The user who made the key, also by another key. Revoked with the user. null: an operator.",
    }),
    expires_at: z.iso.datetime().nullable(),
    revoked_at: z.iso.datetime().nullable(),
    last_used_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: "Updated about once a minute. null: never used, or first used within the last minute." }),
    replaced_by: z.uuid().nullable().meta({ description: "The key that replaced this one in a rotation." }),
  })
  .meta({
    id: "Key",
    examples: [
      {
        id: "4b1d9c2e-5f60-4a7b-8c9d-0e1f2a3b4c5d",
        name: "nightly import",
        scopes: ["import"],
        campaign_ids: null,
        created_at: "2026-11-15T08:00:00.000Z",
        created_by: null,
        expires_at: null,
        revoked_at: null,
        last_used_at: "2026-11-16T02:00:00.000Z",
        replaced_by: null,
      },
    ],
  });
export type KeyBody = z.output<typeof KeyBody>;

export const NewKeyBody = KeyBody.extend({
  key: z
    .string()
    .meta({ description: "The secret key. Shown only once: the server stores only its hash.", example: "hb_c0_…" }),
}).meta({ id: "NewKey", examples: [{ ...exampleOf(KeyBody), key: "hb_c0_…" }] });
export type NewKeyBody = z.output<typeof NewKeyBody>;

export const KeyPageBody = z
  .object({ keys: z.array(KeyBody), next: opaqueNext })
  .meta({ id: "KeyPage", examples: [{ keys: [exampleOf(KeyBody)], next: null }] });
export type KeyPageBody = z.output<typeof KeyPageBody>;

export const ListKeysQuery = z.object({ cursor: opaqueCursor, limit: integerUpTo(500, 100) });
