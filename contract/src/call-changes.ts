import { z } from "zod";
import { Metadata, MetadataKey, MetadataValue, metadataLimits } from "./calls.ts";
import { countTo } from "./page.ts";
import { Email } from "./users.ts";

const MetadataChange = z
  .strictObject({
    remove: z
      .array(
        z.strictObject(
          { key: MetadataKey, value: MetadataValue.optional() },
          'each entry must be an object with the member "key" and, if only one value is meant, "value"',
        ),
        'must be an array of {"key": …} or {"key": …, "value": …} objects',
      )
      .max(metadataLimits.entries, `must have at most ${metadataLimits.entries} entries`)
      .optional()
      .meta({ description: "Every entry with this key or, where a value is given, with this key and value." }),
    add: Metadata.optional().meta({ description: "Appended in this order, after `remove`. Repeated keys are kept." }),
  })
  .refine(({ remove, add }) => remove !== undefined || add !== undefined, "must have the member add or remove")
  .meta({ description: "What is not named stays as it is and where it is." });

/** Every member may be absent, and one must be there. */
export const ChangeCallBody = z
  .strictObject({
    agent_email: Email.optional().meta({ description: "The agent whose call it is, by e-mail …" }),
    agent_id: z.uuid("must be the id of a user").optional().meta({ description: "… or by id." }),
    agent_channel: z
      .enum(["left", "right", "unknown"], "must be left, right, unknown, or null for what the campaign says")
      .nullable()
      .optional()
      .meta({ description: "On which channel the agent is; null: as the campaign says." }),
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

/** What can be changed about a call, by the names of its members. */
export const callChangeMembers = ["agent", "agent_channel", "metadata"] as const;
export type CallChangeMember = (typeof callChangeMembers)[number];

const fromTo = <Value extends z.ZodType>(value: Value) => z.object({ from: value, to: value }).optional();
const Agent = z.object({
  id: z.uuid(),
  email: z.string().nullable().meta({ description: "null: the agent was erased." }),
  name: z.string().nullable(),
});

export const CallChangeBody = z
  .object({
    number: z.int().meta({ description: "1 is the first change of the call." }),
    at: z.iso.datetime(),
    actor: z.object({
      type: z.enum(["key", "user", "operator", "system"]),
      id: z.uuid().nullable().meta({ description: "Of the key, for one." }),
    }),
    changed: z
      .object({
        agent: fromTo(Agent),
        agent_channel: fromTo(z.enum(["left", "right", "unknown"]).nullable()),
        metadata: fromTo(z.array(z.object({ key: z.string(), value: z.string() }))),
      })
      .meta({ description: "What it was before and what it became, for each member that changed." }),
  })
  .meta({ id: "CallChange" });
export type CallChangeBody = z.output<typeof CallChangeBody>;

export const CallChangePageBody = z
  .object({
    changes: z.array(CallChangeBody),
    next: z.int().nullable().meta({ description: "What to send as `cursor` for the older ones; null: no more." }),
  })
  .meta({ id: "CallChangePage" });
export type CallChangePageBody = z.output<typeof CallChangePageBody>;

export const ListCallChangesQuery = z.strictObject({
  cursor: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, "must be the `next` of an answer before")
    .transform(Number)
    .optional(),
  limit: countTo(100, 20),
});
export type ListCallChangesQuery = z.output<typeof ListCallChangesQuery>;

/** The query as documented. */
export const ListCallChangesParameters = z.object({
  cursor: z.int().min(1).optional().meta({ description: "The `next` of the answer before." }),
  limit: z.int().min(1).max(100).default(20),
});
