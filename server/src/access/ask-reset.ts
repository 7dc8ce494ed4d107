import { emailKey } from "@hearback/contract";
import type { App } from "../platform/app.ts";
import { enqueue } from "../platform/queue.ts";
import { sendReset } from "../users/send-reset.ts";
import { findPeople } from "./find-people.ts";
import { guessDigest, networkOf } from "./guess.ts";
import type { Tries } from "./tries.ts";

interface AskResetInput {
  readonly email: string;
  /** Where the request came from. */
  readonly address: string;
}

/** To so many workspaces of one person a letter is sent. */
const mostLetters = 10;

/** Has a link for a new password mailed to whoever has this address. Whether there is anybody, nobody is told. */
export async function askReset(app: App, tries: Tries, { email, address }: AskResetInput): Promise<void> {
  await tries.require({ "reset-address": guessDigest("reset-address", networkOf(address)) });
  const people = app.mail ? await findPeople(app, email) : [];
  // Somebody's mailbox is not filled by others: what is too much is not sent, and nobody is told that either.
  const { waitMs } = await tries.take({ "reset-email": guessDigest("reset-email", emailKey(email)) });
  if (waitMs > 0) return;
  // Not waited for: how long it takes would tell that there is somebody.
  void Promise.all(
    people.slice(0, mostLetters).map(({ workspaceId, userId }) => enqueue(app.db, sendReset, { workspaceId, userId })),
  ).catch((err) => app.log.warn({ err }, "a letter for a forgotten password was not queued"));
}
