import { z } from "zod";
import { ActorRef } from "./actor.ts";
import { Metadata, MetadataEntry, MetadataKey, MetadataValue, metadataLimits } from "./calls.ts";
import { describeCursor, documentedAs, exampleOf, integerUpTo } from "./page.ts";
import { Email } from "./users.ts";

const MetadataChange = z
  .strictObject({
    remove: z
      .array(
        z.strictObject(
          { key: MetadataKey, value: MetadataValue.optional() },
          'each entry must be an object with the member "key" and optionally "value"',
        ),
        'must be an array of {"key": …} or {"key": …, "value": …} objects',
      )
      .max(metadataLimits.entries, `must have at most ${metadataLimits.entries} entries`)
      .optional()
      .meta({ description: "Entries to remove: all with this key, or only those with this key and value." }),
    add: Metadata.optional().meta({
      description: "Entries to append, in this order, after `remove` is applied. Repeated keys are kept.",
    }),
  })
  .refine(({ remove, add }) => remove !== undefined || add !== undefined, "must have the member add or remove")
  .meta({ description: "Changes to the metadata. Entries that are not named keep their value and position." });

/** All members are optional, but at least one is required. */
export const ChangeCallBody = z
  .strictObject({
    agent_email: Email.optional().meta({ description: "The agent who handled the call, by email." }),
    agent_id: z
      .uuid("must be the id of a user")
      .optional()
      .meta({ description: "The agent who handled the call, by id. Do not combine with `agent_email`." }),
    agent_channel: z
      .enum(["left", "right", "unknown"], "must be left, right, unknown, or null for the campaign's setting")
      .nullable()
      .optional()
      .meta({ description: "The channel that carries the agent. null: use the campaign's setting." }),
    metadata: MetadataChange.optional(),
  })
  .refine(({ agent_email, agent_id }) => agent_email === undefined || agent_id === undefined, {
    path: ["agent_id"],
    message: "must not be sent together with agent_email",
  })
  .meta({
    id: "ChangeCall",
    examples: [
      {
        agent_email: "ann@example.com",
        metadata: { remove: [{ key: "site" }], add: [{ key: "site", value: "Lyon" }] },
      },
    ],
  });
export type ChangeCallBody = z.output<typeof ChangeCallBody>;

/** Members of a call that can be changed. */
export const callChangeMembers = ["agent", "agent_channel", "metadata"] as const;
export type CallChangeMember = (typeof callChangeMembers)[number];

const fromTo = <Value extends z.ZodType>(value: Value) => z.object({ from: value, to: value }).optional();
const ChangedAgent = z
  .object({
    id: z.uuid(),
    email: z.string().nullable().meta({ description: "null if the agent was erased." }),
    name: z.string().nullable(),
  })
  .meta({ id: "ChangedAgent" });

export const CallChangeBody = z
  .object({
    number: z.int().meta({ description: "1 is the first change of the call." }),
    at: z.iso.datetime(),
    actor: ActorRef,
    changed: z
      .object({
        agent: fromTo(ChangedAgent),
        agent_channel: fromTo(z.enum(["left", "right", "unknown"]).nullable()),
        metadata: fromTo(z.array(MetadataEntry)),
      })
      .meta({ description: "Old and new value of each member that changed." }),
  })
  .meta({
    id: "CallChange",
    examples: [
      {
        number: 1,
        at: "2026-11-15T08:00:00.000Z",
        actor: { type: "user", id: "3f0c5f5e-7a55-4f0e-9d8e-0c8f5c3f8a11" },
        changed: { agent_channel: { from: null, to: "left" } },
      },
    ],
  });
export type CallChangeBody = z.output<typeof CallChangeBody>;

export const CallChangePageBody = z
  .object({
    changes: z.array(CallChangeBody),
    next: z
      .int()
      .nullable()
      .meta({ description: "Pass this as `cursor` to get the next, older page. null: this is the last page." }),
  })
  .meta({ id: "CallChangePage", examples: [{ changes: [exampleOf(CallChangeBody)], next: null }] });
export type CallChangePageBody = z.output<typeof CallChangePageBody>;

export const ListCallChangesQuery = z.strictObject({
  cursor: documentedAs(
    z
      .string()
      .regex(/^[1-9]\d{0,8}$/, "must be the `next` value from a previous page")
      .transform(Number),
    { type: "integer", minimum: 1 },
  )
    .optional()
    .meta(describeCursor),
  limit: integerUpTo(100, 20),
});
export type ListCallChangesQuery = z.output<typeof ListCallChangesQuery>;
