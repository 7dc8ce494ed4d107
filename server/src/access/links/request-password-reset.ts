import { emailKey } from "@hearback/contract";
import type { App } from "../../platform/app.ts";
import { networkOf } from "../../platform/client-network.ts";
import { enqueue } from "../../platform/queue/queue.ts";
import { sendReset } from "../../users/mail/send-reset.ts";
import { findUsersByEmail } from "../find-users-by-email.ts";
import type { SignInThrottle } from "../throttle/sign-in-throttle.ts";
import { throttleDigest } from "../throttle/sign-in-throttle-rules.ts";

interface PasswordResetRequest {
  readonly email: string;
  /** Client IP address. */
  readonly address: string;
}

/** Maximum number of emails per request: one for each workspace of the user. */
const maxEmails = 10;

/** Queues a password reset email. Succeeds for unknown addresses too, so that it cannot be used to find accounts. */
export async function requestPasswordReset(
  app: App,
  throttle: SignInThrottle,
  { email, address }: PasswordResetRequest,
): Promise<void> {
  await throttle.require({ "reset-address": throttleDigest("reset-address", networkOf(address)) });
  const users = app.mail ? await findUsersByEmail(app, email) : [];
  // Over the limit, silently send nothing: protects the mailbox and does not reveal whether the account exists.
  const { waitMs } = await throttle.take({ "reset-email": throttleDigest("reset-email", emailKey(email)) });
  if (waitMs > 0) return;
  // Not awaited: the response time would reveal whether the account exists.
  void Promise.all(
    users.slice(0, maxEmails).map(({ workspaceId, userId }) => enqueue(app.db, sendReset, { workspaceId, userId })),
  ).catch((err) => app.log.warn({ err }, "could not queue a password reset email"));
}
