import type { SessionOptionsBody } from "@hearback/contract";
import { sql } from "kysely";
import type { App } from "../platform/app.ts";

/** To say no every workspace is looked at, and anybody can ask: it is believed for so long. */
const noForMs = 2_000;

/** How one can sign in here. */
export function openSessionOptions(app: App): () => Promise<SessionOptionsBody> {
  const { oidc } = app.config;
  const somebodyCan = openSomebodyCan(app);
  return async () => {
    const settled = await somebodyCan();
    return {
      password: true,
      oidc: oidc ? { name: oidc.name } : null,
      setup_needed: !settled,
      mail: app.mail !== undefined,
    };
  };
}

/** Whether anybody can sign in at all. One question for all who ask at once; a yes is kept for good. */
function openSomebodyCan({ db, config: { oidc } }: App): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined;

  async function ask(): Promise<boolean> {
    // With a provider nobody needs a password: that there is a workspace is enough.
    const { rows } = await sql<{ somebody: boolean }>`
      select somebody_can_sign_in()
        or (${oidc !== undefined} and exists (select from workspace where erased_at is null)) as somebody`.execute(db);
    return rows[0]?.somebody ?? false;
  }

  return () => {
    const forget = () => {
      answer = undefined;
    };
    if (!answer) {
      answer = ask();
      answer.then((somebody) => {
        if (!somebody) setTimeout(forget, noForMs).unref();
      }, forget);
    }
    return answer;
  };
}
