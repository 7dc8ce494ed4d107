import { z } from "zod";

/** A proof is a file of JSON lines: a header, then one line for each agent in the order of their ids. */
export const proofFormat = "hearback.draw/1";

const Hash = z.string().regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits");
const CallIds = z.array(z.string().max(64));

export const ProofHeader = z.object({
  format: z.literal(proofFormat),
  draw_id: z.string().max(64),
  plan: z.string().max(200),
  /** First and last day. */
  period: z.string().regex(/^\d{4}-\d\d-\d\d\/\d{4}-\d\d-\d\d$/, "must be two dates"),
  /** Hashed as it stands, so that rules of later versions can be verified. */
  rules: z.looseObject({ per_agent: z.int().min(1), monthly_limit: z.int().min(0).nullish() }),
  commitment: Hash,
  key: Hash,
  nonce: z.string().max(1000),
  root: Hash,
  agents: z.int().min(0),
  calls: z.int().min(0),
  /** Which calls get a second review. Absent: drawn before second reviews could be checked. */
  second: z
    .object({
      percent: z.int().min(0).max(100),
      commitment: Hash,
      /** null: not published yet. */
      key: Hash.nullable(),
      /** The largest ticket that got one. null: none did, or not published yet. */
      limit: Hash.nullable(),
    })
    .optional(),
});
export type ProofHeader = z.output<typeof ProofHeader>;

export const ProofAgent = z.object({
  /** null: the agent was erased. */
  agent_id: z.string().max(64).nullable(),
  /** Position among the agents of the frame. */
  index: z.int().min(0),
  root: Hash,
  /** Ids in ascending order. Absent: of an agent who was erased. */
  calls: CallIds.optional(),
  /** How many calls were to be drawn: `per_agent`, or less if the agent has fewer calls or reached the monthly limit. */
  take: z.int().min(0),
  /** In the order of their tickets, with those that were skipped. */
  drawn: CallIds.optional(),
  skipped: z.array(z.object({ call_id: z.string().max(64), reason: z.string().max(40) })).optional(),
  /** Those that get a second review, in ascending order. Absent until the second key is published. */
  second: CallIds.optional(),
  /** Leads from the agent's root to the frame's. Absent in a proof with all agents. */
  path: z.array(Hash).optional(),
});
export type ProofAgent = z.output<typeof ProofAgent>;
