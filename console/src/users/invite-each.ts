import { type Role, ServiceError } from "@hearback/sdk";
import type { PastedPerson } from "./parse-people.ts";
import { invite, type Way } from "./queries.ts";

export interface Outcome {
  readonly person: PastedPerson;
  readonly state: "waiting" | "made" | "there" | "failed";
  readonly error?: unknown;
}

const atOnce = 4;

/** Invites one after the other, a few at a time, and tells how far it is. A failure of one is none of the others. */
export async function inviteEach(
  people: readonly PastedPerson[],
  how: { readonly role: Role; readonly way: Way },
  tell: (outcomes: readonly Outcome[]) => void,
): Promise<void> {
  const outcomes: Outcome[] = people.map((person) => ({ person, state: "waiting" }));
  tell([...outcomes]);
  const queue = outcomes.entries();
  async function lane(): Promise<void> {
    for (const [place, { person }] of queue) {
      outcomes[place] = { person, ...(await tryOne(person, how)) };
      tell([...outcomes]);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane));
}

async function tryOne({ email, name }: PastedPerson, how: { readonly role: Role; readonly way: Way }) {
  try {
    await invite({ email, name, ...how });
    return { state: "made" } as const;
  } catch (error) {
    const there = error instanceof ServiceError && error.code === "user_exists";
    return { state: there ? "there" : "failed", error } as const;
  }
}
