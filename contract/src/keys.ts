import { z } from "zod";
import { CampaignId } from "./campaigns.ts";
import { countTo } from "./page.ts";
import { Name } from "./text.ts";
import { Time } from "./time.ts";

export const scopes = ["import", "read", "manage"] as const;
export type Scope = (typeof scopes)[number];

const Scopes = z
  .array(z.enum(scopes, `must be one of ${scopes.join(", ")}`), `must be an array of ${scopes.join(", ")}`)
  .min(1, "must have at least one entry")
  .max(10, "must have at most 10 entries")
  .transform((given) => scopes.filter((scope) => given.includes(scope)));
const CampaignIds = z
  .array(CampaignId, "must be an array of campaign ids, or null for all campaigns")
  .min(1, "must have at least one entry; leave it out for all campaigns")
  .max(100, "must have at most 100 entries")
  .transform((given) => [...new Set(given)])
  .nullable();
const ToCome = Time.refine((time) => time.getTime() > Date.now(), "must be in the future");

export const CreateKeyFields = z.strictObject({
  name: Name,
  scopes: Scopes,
  campaign_ids: CampaignIds.default(null),
  expires_at: ToCome.nullable().default(null),
});

const campaignsMeant = "Restricts the key to these campaigns: what belongs to another does not exist for it.";
const scopesMeant = "import: create agents and import calls. read: see and hear. manage: change things.";
const documentedTime = z.iso.datetime({ offset: true });
const overlapMeant = "For how long the old key goes on working beside the new one.";

/** The bodies as documented. */
export const CreateKeyBody = z
  .object({
    name: Name.meta({ description: "What it is for.", example: "nightly import" }),
    scopes: z.array(z.enum(scopes)).min(1).meta({ description: scopesMeant }),
    campaign_ids: z.array(CampaignId).min(1).max(100).nullable().optional().meta({ description: campaignsMeant }),
    expires_at: documentedTime.nullable().optional().meta({ description: "When it ends by itself; absent: never." }),
  })
  .meta({
    id: "CreateKey",
    examples: [{ name: "nightly import", scopes: ["import"] }],
  });
export const ChangeKeyBody = z
  .object({
    name: Name.optional(),
    expires_at: documentedTime.nullable().optional().meta({ description: "In the future; null: never." }),
  })
  .meta({ id: "ChangeKey", examples: [{ name: "nightly import, Lyon" }] });
export const RotateKeyBody = z
  .object({
    overlap_hours: z.number().min(0).max(168).default(24).meta({ description: overlapMeant }),
    expires_at: documentedTime.nullable().optional().meta({
      description: "When the new key ends; absent: after as long a life as the old one was given.",
    }),
  })
  .meta({ id: "RotateKey", examples: [{ overlap_hours: 24 }] });

/** What a key may do and where is fixed when it is made. */
export const ChangeKeyFields = z.strictObject({ name: Name.optional(), expires_at: ToCome.nullable().optional() });

export const RotateKeyFields = z.strictObject({
  overlap_hours: z.number("must be a number").min(0, "must be at least 0").max(168, "must be at most 168").default(24),
  expires_at: ToCome.nullable().optional(),
});

export const KeyBody = z
  .object({
    id: z.uuid(),
    name: z.string(),
    scopes: z.array(z.enum(scopes)),
    campaign_ids: z
      .array(z.string())
      .nullable()
      .meta({ description: `${campaignsMeant} null: all campaigns.` }),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().nullable(),
    revoked_at: z.iso.datetime().nullable(),
    last_used_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: "Written about once a minute; null: never, or within the last minute." }),
    replaced_by: z.uuid().nullable().meta({ description: "The key that took its place when it was rotated." }),
  })
  .meta({ id: "Key" });
export type KeyBody = z.output<typeof KeyBody>;

export const NewKeyBody = KeyBody.extend({
  key: z.string().meta({ description: "The key itself. Shown this once: only its hash is kept.", example: "hb_c0_…" }),
}).meta({ id: "NewKey" });
export type NewKeyBody = z.output<typeof NewKeyBody>;

export const KeyPageBody = z
  .object({
    keys: z.array(KeyBody),
    next: z.uuid().nullable().meta({ description: "What to send as `cursor` for the older ones; null: no more." }),
  })
  .meta({ id: "KeyPage" });
export type KeyPageBody = z.output<typeof KeyPageBody>;

export const ListKeysQuery = z.object({
  cursor: z.uuid("must be the `next` of an answer before").optional(),
  limit: countTo(500, 100),
});

/** The query as documented. */
export const ListKeysParameters = z.object({
  cursor: z.uuid().optional().meta({ description: "The `next` of the answer before." }),
  limit: z.int().min(1).max(500).default(100),
});
