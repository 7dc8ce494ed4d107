import { z } from "zod";
import { ActorRef } from "./actor.ts";
import { metadataLimits } from "./calls.ts";
import { describeCursor, exampleOf, integerUpTo, next } from "./page.ts";
import { text } from "./text.ts";

const Id = z.uuid("must be an id such as 3f0c5f5e-7a55-4f0e-9d8e-0c8f5c3f8a11");

/** Exactly one member must be set. */
export const ErasureSubject = z
  .strictObject({
    call_id: Id.optional().meta({ description: "Erase this call." }),
    agent_id: Id.optional().meta({ description: "Erase all calls of this agent, then the agent." }),
    metadata: z
      .strictObject(
        { key: text(1, metadataLimits.key), value: text(0, metadataLimits.value) },
        'must be an object with exactly the members "key" and "value"',
      )
      .optional()
      .meta({
        description: "Erase all calls with exactly this metadata entry.",
        example: { key: "client_phone", value: "+33123456789" },
      }),
  })
  .meta({
    id: "ErasureSubject",
    description: "What to erase. Set exactly one member.",
    examples: [{ metadata: { key: "client_phone", value: "+33123456789" } }],
  });
export type ErasureSubject = z.output<typeof ErasureSubject>;

export const ErasurePreviewBody = z
  .object({
    complete: z.boolean().meta({ description: "false: counting timed out, so the numbers are lower bounds." }),
    calls: z.int(),
    held: z.int().meta({ description: "Of these, calls under a legal hold, which would be kept." }),
    bytes: z.int().meta({ description: "Total size of the recordings that would be erased." }),
    first_conversation: z.iso.datetime().nullable(),
    last_conversation: z.iso.datetime().nullable(),
    campaigns: z.array(z.object({ campaign_id: z.string(), calls: z.int(), held: z.int() })),
  })
  .meta({
    id: "ErasurePreview",
    examples: [
      {
        complete: true,
        calls: 12,
        held: 1,
        bytes: 5_760_000,
        first_conversation: "2026-02-03T09:12:00.000Z",
        last_conversation: "2026-11-14T16:40:00.000Z",
        campaigns: [{ campaign_id: "support-fr", calls: 12, held: 1 }],
      },
    ],
  });
export type ErasurePreviewBody = z.output<typeof ErasurePreviewBody>;

export const erasureKinds = ["call", "agent", "metadata", "retention", "workspace"] as const;
export type ErasureKind = (typeof erasureKinds)[number];
export const erasureStates = ["queued", "running", "done"] as const;

const erasureMembers = {
  id: z.uuid(),
  kind: z.enum(erasureKinds),
  call_id: z.uuid().nullable(),
  agent_id: z.uuid().nullable(),
  campaign_id: z.string().nullable(),
  requested_by: ActorRef,
  erased: z.int().meta({ description: "Number of calls erased, including their recordings." }),
  held: z.int().meta({ description: "Number of calls kept because of a legal hold. Final once the erasure is done." }),
  bytes: z.int().meta({ description: "Total size of the erased recordings." }),
  agent_erased: z.boolean(),
  created_at: z.iso.datetime(),
  started_at: z.iso.datetime().nullable(),
};

const exampleErasure = {
  id: "7d9f3f5e-6c0b-4d6e-9b0e-0f6a3b1f2c4d",
  kind: "metadata",
  call_id: null,
  agent_id: null,
  campaign_id: null,
  requested_by: { type: "user", id: "3f0c5f5e-7a55-4f0e-9d8e-0c8f5c3f8a11" },
  erased: 11,
  held: 1,
  bytes: 5_280_000,
  agent_erased: false,
  created_at: "2026-11-15T08:00:00.000Z",
  started_at: "2026-11-15T08:00:01.000Z",
  ended_at: "2026-11-15T08:00:04.000Z",
};

export const ErasureBody = z
  .object({
    ...erasureMembers,
    state: z.enum(erasureStates),
    found: z.int().nullable().meta({
      description:
        "Number of calls in scope. null until they are counted; for kind `retention`, null until it is done.",
    }),
    ended_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "Erasure", examples: [{ ...exampleErasure, state: "done", found: 12 }] });
export type ErasureBody = z.output<typeof ErasureBody>;

export const CertificateBody = z
  .object({
    ...erasureMembers,
    workspace_id: z.uuid(),
    ended_at: z.iso.datetime(),
    ids_digest: z.string().meta({
      description:
        "SHA-256 of the erased calls' ids in ascending order, each followed by a line feed, in hexadecimal. Matches the audit entry. See docs/privacy.md.",
    }),
    audit: z
      .object({ number: z.int(), hash: z.string() })
      .meta({ description: "The erasure's entry in the audit log. Its hash covers all earlier entries." }),
  })
  .meta({
    id: "ErasureCertificate",
    examples: [
      {
        ...exampleErasure,
        workspace_id: "0b8f6a52-9d34-4a6e-8a2f-3c5d7e9f1a2b",
        ids_digest: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        audit: { number: 4711, hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" },
      },
    ],
  });
export type CertificateBody = z.output<typeof CertificateBody>;

export const ErasurePageBody = z
  .object({ erasures: z.array(ErasureBody), next })
  .meta({ id: "ErasurePage", examples: [{ erasures: [exampleOf(ErasureBody)], next: null }] });
export type ErasurePageBody = z.output<typeof ErasurePageBody>;

const cursor = Id.optional().meta(describeCursor);

export const ListErasuresQuery = z.object({
  kind: z.enum(erasureKinds, `must be one of ${erasureKinds.join(", ")}`).optional(),
  cursor,
  limit: integerUpTo(200, 50),
});
export type ListErasuresQuery = z.output<typeof ListErasuresQuery>;

/** Exactly one of call_id, agent_id and campaign_id must be set. */
export const CreateHoldBody = z
  .strictObject({
    call_id: Id.optional(),
    agent_id: Id.optional().meta({ description: "Hold this agent and all of their calls." }),
    campaign_id: text(1, 100).optional().meta({ description: "Hold all calls of this campaign." }),
    reason: text(1, 500).meta({
      description: "Why the data is held. Prefer a case number to a name.",
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
    reason: z.string().meta({ description: "Empty if the held data was erased after the hold was released." }),
    active: z.boolean(),
    created_by: ActorRef,
    created_at: z.iso.datetime(),
    released_by: ActorRef.nullable(),
    released_at: z.iso.datetime().nullable(),
  })
  .meta({
    id: "Hold",
    examples: [
      {
        id: "7d9f3f5e-6c0b-4d6e-9b0e-0f6a3b1f2c4d",
        call_id: null,
        agent_id: null,
        campaign_id: "support-fr",
        reason: "Case 2026-114",
        active: true,
        created_by: { type: "user", id: "3f0c5f5e-7a55-4f0e-9d8e-0c8f5c3f8a11" },
        created_at: "2026-11-15T08:00:00.000Z",
        released_by: null,
        released_at: null,
      },
    ],
  });
export type HoldBody = z.output<typeof HoldBody>;

export const HoldPageBody = z
  .object({ holds: z.array(HoldBody), next })
  .meta({ id: "HoldPage", examples: [{ holds: [exampleOf(HoldBody)], next: null }] });
export type HoldPageBody = z.output<typeof HoldPageBody>;

export const ListHoldsQuery = z.object({
  state: z
    .enum(["active", "all"], "must be active or all")
    .default("active")
    .meta({ description: "all: include released holds." }),
  cursor,
  limit: integerUpTo(200, 50),
});
export type ListHoldsQuery = z.output<typeof ListHoldsQuery>;
