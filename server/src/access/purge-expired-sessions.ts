import { z } from "zod";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { defineJob } from "../platform/queue/queue.ts";
import { removeOldLinks } from "../users/access-links.ts";
import { trustedMs } from "./throttle/sign-in-throttle-rules.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Deletes ended sessions, expired links and challenges, and sign-in throttle counters without effect. */
export const purgeExpiredSessions = defineJob({
  name: "session.remove-ended",
  schedule: "37 * * * *",
  payload: z.object({}).nullish(),
  async run(app) {
    const now = Date.now();
    const ended = new Date(now - hourMs);
    const workspaces = await app.db.selectFrom("workspace").select("id").execute();
    for (const { id } of workspaces) {
      await inWorkspace(app, id, async (tx) => {
        await tx
          .deleteFrom("session")
          .where("workspaceId", "=", id)
          .where((eb) => eb.or([eb("endedAt", "<", ended), eb("expiresAt", "<", ended), eb("idleUntil", "<", ended)]))
          .execute();
        await removeOldLinks(tx, id, ended);
        await tx
          .deleteFrom("pendingSignIn")
          .where("workspaceId", "=", id)
          .where("expiresAt", "<", new Date(now))
          .execute();
      });
    }
    await app.db.deleteFrom("passkeyChallenge").where("expiresAt", "<", new Date(now)).execute();
    await app.db.deleteFrom("setupLink").where("expiresAt", "<", ended).execute();
    await app.db
      .deleteFrom("signInGuess")
      .where("lastAt", "<", new Date(now - dayMs))
      .where((eb) => eb.or([eb("blockedUntil", "is", null), eb("blockedUntil", "<", new Date(now))]))
      .where((eb) => eb.or([eb("succeededAt", "is", null), eb("succeededAt", "<", new Date(now - trustedMs))]))
      .execute();
  },
});
