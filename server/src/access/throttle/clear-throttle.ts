import { emailKey } from "@hearback/contract";
import type { Db } from "../../platform/database/database.ts";
import { findUsersByEmail } from "../find-users-by-email.ts";
import { throttleDigest } from "./sign-in-throttle-rules.ts";

interface RemovedUser {
  readonly id: string;
  readonly email: string;
}

/**
 * Deletes the sign-in throttle counters of a removed user. Counters of the email address stay while a user in another
 * workspace has it. Counters that include a network cannot be attributed to a user and expire by themselves.
 */
export async function clearThrottle(tx: Db, { id, email }: RemovedUser): Promise<void> {
  const key = emailKey(email);
  const others = await findUsersByEmail({ db: tx }, email);
  const ofEmail = others.length > 0 ? [] : [throttleDigest("email", key), throttleDigest("reset-email", key)];
  await tx
    .deleteFrom("signInGuess")
    .where("digest", "in", [throttleDigest("person", id), throttleDigest("second-step-user", id), ...ofEmail])
    .execute();
}
