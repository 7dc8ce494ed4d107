import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { SMTPServer } from "smtp-server";
import { afterAll, expect, test } from "vitest";
import { operatorIn } from "../platform/actor.ts";
import { openTestApp } from "../testing/test-app.ts";
import { runWorker } from "../worker.ts";
import { inviteUser } from "./invite-user.ts";
import { sendInvitation } from "./send-invitation.ts";

const sentMails: { to: string[]; text: string }[] = [];
let refusals = 1;
const server = new SMTPServer({
  closeTimeout: 100,
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onData(stream, session, done) {
    let text = "";
    stream.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
    stream.on("end", () => {
      // The mail server defers the first email.
      if (refusals-- > 0) return done(Object.assign(new Error("try again later"), { responseCode: 451 }));
      sentMails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
      return done();
    });
  },
});
server.listen(0, "127.0.0.1");
await once(server.server, "listening");
const address = server.server.address();
const port = typeof address === "object" && address ? address.port : 0;
const { app, caller, admin } = await openTestApp({
  SMTP_URL: `smtp://127.0.0.1:${port}`,
  MAIL_FROM: "Hearback <hb@example.com>",
});
const worker = await runWorker(app);
afterAll(async () => {
  await worker.stop();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

test("the worker sends an invitation, and retries when the mail server defers it", async () => {
  const input = { email: "Bob@example.com", name: "Bob Roy", role: "agent", sendInvitation: true } as const;
  const user = await inviteUser(app, operatorIn(caller.workspaceId), input);
  expect(user.invitation).toBe("queued");
  for (let tries = 0; tries < 200 && sentMails.length === 0; tries++) await sleep(100);
  expect(sentMails).toHaveLength(1);
  expect(sentMails[0]?.to).toEqual(["Bob@example.com"]);
  expect(sentMails[0]?.text).toContain("Subject: You have been invited to Acme on Hearback");
  expect(sentMails[0]?.text).toContain("Hello Bob Roy");

  const sent = () => admin.query("select 1 from app_user where id = $1 and invitation_sent_at is not null", [user.id]);
  for (let tries = 0; tries < 50 && (await sent()).rows.length === 0; tries++) await sleep(100);
  await sendInvitation.perform(app, { workspaceId: caller.workspaceId, userId: user.id });
  expect(sentMails, "a job that runs twice sends one email").toHaveLength(1);
});
