import { z } from "zod";
import { metadataLimits } from "./calls.ts";
import { countTo } from "./page.ts";
import { text } from "./text.ts";

const Id = z.uuid("must be an id such as 3f0c5f5e-7a55-4f0e-9d8e-0c8f5c3f8a11");

/** Exactly one of the three members. */
export const ErasureSubject = z
  .strictObject({
    call_id: Id.optional().meta({ description: "This call." }),
    agent_id: Id.optional().meta({ description: "All calls of this agent, and then the agent." }),
    metadata: z
      .strictObject(
        { key: text(1, metadataLimits.key), value: text(0, metadataLimits.value) },
        'must be an object with exactly the members "key" and "value"',
      )
      .optional()
      .meta({
        description: "All calls with this metadata entry, compared character by character.",
        example: { key: "client_phone", value: "+33123456789" },
      }),
  })
  .meta({
    id: "ErasureSubject",
    description: "What is to be erased: exactly one of the members.",
    examples: [{ metadata: { key: "client_phone", value: "+33123456789" } }],
  });
export type ErasureSubject = z.output<typeof ErasureSubject>;

export const ErasurePreviewBody = z
  .object({
    calls: z.int(),
    held: z.int().meta({ description: "Of these, under a legal hold: they would stay." }),
    bytes: z.int().meta({ description: "Of the recordings that would be erased." }),
    first_conversation: z.iso.datetime().nullable(),
    last_conversation: z.iso.datetime().nullable(),
    campaigns: z.array(z.object({ campaign_id: z.string(), calls: z.int(), held: z.int() })),
  })
  .meta({ id: "ErasurePreview" });
export type ErasurePreviewBody = z.output<typeof ErasurePreviewBody>;

export const erasureKinds = ["call", "agent", "metadata", "retention", "workspace"] as const;
export type ErasureKind = (typeof erasureKinds)[number];
export const erasureStates = ["queued", "running", "done"] as const;

const Who = z
  .object({ type: z.enum(["key", "user", "operator", "system"]), id: z.uuid().nullable() })
  .meta({ description: "A key by its id, who runs the installation (operator), or the service itself (system)." });

const erasureMembers = {
  id: z.uuid(),
  kind: z.enum(erasureKinds),
  call_id: z.uuid().nullable(),
  agent_id: z.uuid().nullable(),
  campaign_id: z.string().nullable(),
  requested_by: Who,
  erased: z.int().meta({ description: "Calls erased, with their recordings." }),
  held: z.int().meta({ description: "Calls that stay because of a legal hold; known when it is done." }),
  bytes: z.int().meta({ description: "Of the erased recordings." }),
  agent_erased: z.boolean(),
  created_at: z.iso.datetime(),
  started_at: z.iso.datetime().nullable(),
};

export const ErasureBody = z
  .object({
    ...erasureMembers,
    state: z.enum(erasureStates),
    found: z.int().nullable().meta({ description: "Calls that it concerns; null until it began." }),
    ended_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "Erasure" });
export type ErasureBody = z.output<typeof ErasureBody>;

export const CertificateBody = z
  .object({
    ...erasureMembers,
    workspace_id: z.uuid(),
    ended_at: z.iso.datetime(),
    ids_digest: z.string().meta({
      description: "The SHA-256 of each erased call's id, added up modulo 2^256, in hexadecimal. docs/privacy.md.",
    }),
    audit: z
      .object({ number: z.int(), hash: z.string() })
      .meta({ description: "Its entry in the audit log, whose hash covers all entries before it." }),
  })
  .meta({ id: "ErasureCertificate" });
export type CertificateBody = z.output<typeof CertificateBody>;

const next = (what: string) =>
  z
    .uuid()
    .nullable()
    .meta({ description: `What to send as \`cursor\` for the older ${what}; null: no more.` });

export const ErasurePageBody = z
  .object({ erasures: z.array(ErasureBody), next: next("ones") })
  .meta({ id: "ErasurePage" });
export type ErasurePageBody = z.output<typeof ErasurePageBody>;

const cursor = Id.optional();

export const ListErasuresQuery = z.object({
  kind: z.enum(erasureKinds, `must be one of ${erasureKinds.join(", ")}`).optional(),
  cursor,
  limit: countTo(200, 50),
});
export type ListErasuresQuery = z.output<typeof ListErasuresQuery>;

const documentedPage = {
  cursor: z.uuid().optional().meta({ description: "The `next` of the answer before." }),
  limit: z.int().min(1).max(200).default(50),
};

/** The query as documented. */
export const ListErasuresParameters = z.object({ kind: z.enum(erasureKinds).optional(), ...documentedPage });

/** Exactly one of call_id, agent_id and campaign_id. */
export const CreateHoldBody = z
  .strictObject({
    call_id: Id.optional(),
    agent_id: Id.optional().meta({ description: "All calls of this agent, and the agent." }),
    campaign_id: text(1, 100).optional().meta({ description: "All calls of this campaign." }),
    reason: text(1, 500).meta({
      description: "For people who ask why. A case number is better than a name.",
      example: "Case 2026-114",
    }),
  })
  .meta({ id: "CreateHold", examples: [{ campaign_id: "support-fr", reason: "Case 2026-114" }] });
export type CreateHoldBody = z.output<typeof CreateHoldBody>;

export const HoldBody = z
  .object({
    id: z.uuid(),
    call_id: z.uuid().nullable(),
    agent_id: z.uuid().nullable(),
    campaign_id: z.string().nullable(),
    reason: z.string().meta({ description: "Empty where its subject was erased after its release." }),
    active: z.boolean(),
    created_by: Who,
    created_at: z.iso.datetime(),
    released_by: Who.nullable(),
    released_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "Hold" });
export type HoldBody = z.output<typeof HoldBody>;

export const HoldPageBody = z.object({ holds: z.array(HoldBody), next: next("ones") }).meta({ id: "HoldPage" });
export type HoldPageBody = z.output<typeof HoldPageBody>;

export const ListHoldsQuery = z.object({
  state: z.enum(["active", "all"], "must be active or all").default("active"),
  cursor,
  limit: countTo(200, 50),
});
export type ListHoldsQuery = z.output<typeof ListHoldsQuery>;

/** The query as documented. */
export const ListHoldsParameters = z.object({
  state: z.enum(["active", "all"]).default("active").meta({ description: "all: also those that were released." }),
  ...documentedPage,
});
