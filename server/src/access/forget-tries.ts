import { emailKey } from "@hearback/contract";
import type { Db } from "../platform/database/database.ts";
import { findPeople } from "./find-people.ts";
import { guessDigest } from "./guess.ts";

interface Forgotten {
  readonly id: string;
  readonly email: string;
}

/**
 * Removes how often somebody who is gone tried to sign in; what was counted for the address stays while anybody else has
 * it, in another workspace. What was counted by network, too, cannot be found by who it was.
 */
export async function forgetTries(tx: Db, { id, email }: Forgotten): Promise<void> {
  const key = emailKey(email);
  const others = await findPeople({ db: tx }, email);
  const ofAddress = others.length > 0 ? [] : [guessDigest("email", key), guessDigest("reset-email", key)];
  await tx
    .deleteFrom("signInGuess")
    .where("digest", "in", [guessDigest("person", id), ...ofAddress])
    .execute();
}
