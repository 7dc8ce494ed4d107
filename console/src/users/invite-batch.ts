import { type Role, ServiceError } from "@hearback/sdk";
import type { PastedPerson } from "./parse-people.ts";
import { type DeliveryMethod, invite } from "./queries.ts";

export interface Outcome {
  readonly person: PastedPerson;
  readonly state: "waiting" | "added" | "existing" | "failed";
  readonly error?: unknown;
}

const concurrency = 4;

/** Invites people in parallel and reports progress. Failures are independent. */
export async function inviteBatch(
  people: readonly PastedPerson[],
  how: { readonly role: Role; readonly delivery: DeliveryMethod },
  onProgress: (outcomes: readonly Outcome[]) => void,
): Promise<void> {
  const outcomes: Outcome[] = people.map((person) => ({ person, state: "waiting" }));
  onProgress([...outcomes]);
  const queue = outcomes.entries();
  async function lane(): Promise<void> {
    for (const [index, { person }] of queue) {
      outcomes[index] = { person, ...(await tryOne(person, how)) };
      onProgress([...outcomes]);
    }
  }
  await Promise.all(Array.from({ length: concurrency }, lane));
}

async function tryOne({ email, name }: PastedPerson, how: { readonly role: Role; readonly delivery: DeliveryMethod }) {
  try {
    await invite({ email, name, ...how });
    return { state: "added" } as const;
  } catch (error) {
    return { state: isExisting(error) ? "existing" : "failed", error } as const;
  }
}

/** Someone who was to be an agent, but has another role, is a failure. */
const isExisting = (error: unknown) =>
  error instanceof ServiceError &&
  error.code === "user_exists" &&
  !error.problem?.errors?.some(({ code }) => code === "not_an_agent");
