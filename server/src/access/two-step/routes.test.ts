import { beforeEach, describe, expect, test } from "vitest";
import { examineSecrets } from "../../commands/secrets.ts";
import { newEncryptionKey } from "../../platform/secret-box.ts";
import { auditOf } from "../../testing/json-client.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { aPassword, createTestUser } from "../../testing/users.ts";
import { encryptTotpSecrets } from "./encrypt-totp-secrets.ts";
import { totpCode, totpStep } from "./totp.ts";

const service = await openTestApp({ ENCRYPTION_KEYS: newEncryptionKey("k1") });
const { app, api, admin, caller, key } = service;
const { workspaceId } = caller;
const origin = "http://127.0.0.1:8080";

type Cookies = Record<string, string>;
type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** A client that keeps cookies. */
function aBrowser(remoteAddress = "127.0.0.1") {
  const jar: Cookies = {};
  return {
    jar,
    async ask(method: Method, url: string, payload?: object) {
      const cookie = Object.entries(jar).map(([name, value]) => `${name}=${value}`);
      const answer = await api.inject({
        method,
        url,
        remoteAddress,
        headers: { origin, cookie: cookie.join("; ") },
        ...(payload && { payload }),
      });
      for (const line of [answer.headers["set-cookie"] ?? []].flat()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value) jar[name] = value;
        else delete jar[name];
      }
      return { status: answer.statusCode, body: answer.body ? answer.json() : null };
    },
  };
}
type Browser = ReturnType<typeof aBrowser>;

const signIn = (browser: Browser, email: string, password = aPassword) =>
  browser.ask("POST", "/session", { email, password });

/** The TOTP code a number of steps from now. */
const codeOf = (secret: string, offset = 0) => totpCode(secret, totpStep(new Date()) + offset);

async function enrolled(role: "admin" | "agent" = "agent") {
  const { id, email } = await createTestUser(app, workspaceId, { role });
  const browser = aBrowser();
  expect((await signIn(browser, email)).status).toBe(200);
  const { secret } = (await browser.ask("POST", "/session/two-step/totp")).body;
  const added = await browser.ask("POST", "/session/two-step/totp/confirm", { code: codeOf(secret) });
  expect(added.status).toBe(200);
  return { id, email, secret, browser, recoveryCodes: added.body.recovery_codes as string[] };
}

/** Marks all codes as unused. */
const forgetSteps = () => admin.query("update totp_factor set last_step = null");
beforeEach(async () => {
  // Avoid a time step boundary within the test.
  const seconds = (Date.now() / 1000) % 30;
  if (seconds > 24) await new Promise((resolve) => setTimeout(resolve, (30.1 - seconds) * 1000));
  await admin.query("delete from sign_in_guess");
});

describe("an authenticator app", () => {
  test("becomes a factor once a code is confirmed, ends other sessions and returns recovery codes once", async () => {
    const { id, email } = await createTestUser(app, workspaceId, { role: "agent" });
    const [here, elsewhere] = [aBrowser(), aBrowser()];
    await signIn(here, email);
    await signIn(elsewhere, email);
    const { secret, uri } = (await here.ask("POST", "/session/two-step/totp")).body;
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toContain(`secret=${secret}`);
    expect((await here.ask("GET", "/session/two-step")).body).toMatchObject({ totp: null, recovery_codes_left: 0 });
    expect((await signIn(aBrowser(), email)).status).toBe(200);

    const wrong = await here.ask("POST", "/session/two-step/totp/confirm", { code: codeOf(secret, 5) });
    expect(wrong).toMatchObject({ status: 422, body: { errors: [{ part: "code", code: "wrong" }] } });
    const entries = await auditOf(service, async () => {
      const added = await here.ask("POST", "/session/two-step/totp/confirm", { code: codeOf(secret) });
      expect(added.body.recovery_codes).toHaveLength(10);
      expect(added.body.two_step).toMatchObject({ totp: {}, passkeys: [], recovery_codes_left: 10, required: false });
    });
    expect(entries.map(({ action, subject_id, data }) => [action, subject_id, data])).toEqual([
      ["two_step.added", id, { factor: "totp" }],
    ]);
    expect((await here.ask("GET", "/session")).body).toMatchObject({ second_factor: "totp", two_step_needed: false });
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect((await elsewhere.ask("GET", "/session")).status).toBe(401);
  });

  test("is required after the password, and a code works once", async () => {
    const { email, secret } = await enrolled();
    const browser = aBrowser();
    const asked = await signIn(browser, email);
    expect(asked).toMatchObject({
      status: 401,
      body: { code: "second_step_needed", methods: ["totp", "recovery_code"] },
    });
    expect((await browser.ask("GET", "/session")).status).toBe(401);
    // Confirming the app has used this code.
    const used = await browser.ask("POST", "/session/second-step", { code: codeOf(secret) });
    expect(used).toMatchObject({ status: 401, body: { code: "second_step_failed" } });
    const code = codeOf(secret, 1);
    const done = await browser.ask("POST", "/session/second-step", { code: `${code.slice(0, 3)} ${code.slice(3)}` });
    expect(done).toMatchObject({ status: 200, body: { signed_in_by: "password", second_factor: "totp" } });
    expect((await browser.ask("GET", "/session")).status).toBe(200);
    const again = aBrowser();
    await signIn(again, email);
    expect((await again.ask("POST", "/session/second-step", { code })).body.code).toBe("second_step_failed");
  });

  test("accepts one of four concurrent uses of the same code", async () => {
    const { email, secret } = await enrolled();
    await forgetSteps();
    const browsers = Array.from({ length: 4 }, aBrowser);
    for (const browser of browsers) await signIn(browser, email);
    const code = codeOf(secret);
    const answers = await Promise.all(browsers.map((one) => one.ask("POST", "/session/second-step", { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  });

  test("is throttled after five wrong codes, across browsers", async () => {
    const { email, secret } = await enrolled();
    const browser = aBrowser();
    await signIn(browser, email);
    const statuses = [];
    for (let count = 0; count < 7; count++) {
      statuses.push((await browser.ask("POST", "/session/second-step", { code: codeOf(secret, 9 + count) })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    const other = aBrowser();
    await signIn(other, email);
    const right = await other.ask("POST", "/session/second-step", { code: codeOf(secret, 1) });
    expect(right).toMatchObject({ status: 429, body: { code: "sign_in_limited" } });
  });

  test("wrong codes from one network do not lock out the holder at another; many networks together are throttled", async () => {
    const { email, secret } = await enrolled();
    const attack = async (address: string) => {
      const attacker = aBrowser(address);
      await signIn(attacker, email);
      const wrong = Array.from({ length: 6 }, () =>
        attacker.ask("POST", "/session/second-step", { code: codeOf(secret, 9) }),
      );
      return (await Promise.all(wrong)).map(({ status }) => status);
    };
    const holder = aBrowser("192.0.2.1");
    const right = async () => {
      await signIn(holder, email);
      await forgetSteps();
      return (await holder.ask("POST", "/session/second-step", { code: codeOf(secret) })).status;
    };
    expect((await attack("198.51.100.1")).sort()).toEqual([401, 401, 401, 401, 401, 429]);
    expect(await right()).toBe(200);
    const later: number[] = [];
    for (let network = 2; network <= 7; network++) later.push(...(await attack(`198.51.100.${network}`)));
    expect(later.filter((status) => status === 401)).toHaveLength(25);
    // They signed in from this network before.
    expect(await right()).toBe(200);
    const elsewhere = aBrowser("203.0.113.1");
    await signIn(elsewhere, email);
    expect((await elsewhere.ask("POST", "/session/second-step", { code: codeOf(secret, 1) })).status).toBe(429);
  });

  test("a code that is sent several times at once does not lock its holder out", async () => {
    const { email, secret } = await enrolled();
    await forgetSteps();
    const browsers = Array.from({ length: 6 }, () => aBrowser());
    for (const browser of browsers) await signIn(browser, email);
    const code = codeOf(secret);
    const answers = await Promise.all(browsers.map((one) => one.ask("POST", "/session/second-step", { code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const next = aBrowser();
    await signIn(next, email);
    expect((await next.ask("POST", "/session/second-step", { code: codeOf(secret, 1) })).status).toBe(200);
  });

  test("is stored encrypted and re-encrypted on key rotation", async () => {
    const { id, secret } = await enrolled();
    const stored = async () => (await admin.query("select * from totp_factor where user_id = $1", [id])).rows[0];
    expect(JSON.stringify(await stored())).not.toContain(secret);
    expect((await stored()).secret).toMatch(/^aes256gcm\.k1\./);
    await admin.query("update totp_factor set secret = $2 where user_id = $1", [id, secret]);
    expect(await examineSecrets(app)).toMatchObject({ ok: false });
    expect(await encryptTotpSecrets(app, workspaceId)).toBe(1);
    expect((await stored()).secret).toMatch(/^aes256gcm\.k1\./);
    expect(await examineSecrets(app)).toMatchObject({ ok: true });
  });

  test("can be replaced without a gap and removed, both with a recent confirmation", async () => {
    const { email, secret, browser } = await enrolled();
    const next = (await browser.ask("POST", "/session/two-step/totp")).body.secret;
    const waiting = aBrowser();
    await signIn(waiting, email);
    // The old app stays valid until the new one is confirmed.
    expect((await waiting.ask("POST", "/session/second-step", { code: codeOf(secret, 1) })).status).toBe(200);
    const added = await browser.ask("POST", "/session/two-step/totp/confirm", { code: codeOf(next) });
    expect(added.body).toMatchObject({ recovery_codes: null });

    await admin.query("update session set confirmed_at = now() - interval '11 minutes'");
    for (const [method, url] of [
      ["POST", "/session/two-step/totp"],
      ["DELETE", "/session/two-step/totp"],
      ["POST", "/session/two-step/recovery-codes"],
    ] as const) {
      const refused = await browser.ask(method, url);
      expect(refused).toMatchObject({ status: 403, body: { code: "confirmation_needed", confirm_by: ["password"] } });
    }
    expect((await browser.ask("POST", "/session/confirm", { password: aPassword })).status).toBe(204);
    expect((await browser.ask("DELETE", "/session/two-step/totp")).status).toBe(204);
    expect((await browser.ask("DELETE", "/session/two-step/totp")).status).toBe(204);
    expect((await browser.ask("GET", "/session/two-step")).body).toMatchObject({ totp: null, recovery_codes_left: 0 });
    expect((await signIn(aBrowser(), email)).status).toBe(200);
  });
});

describe("a pending sign-in", () => {
  test("grants no access, is bound to its cookie, and ends after 5 minutes or with a password change", async () => {
    const { id, email, secret, browser } = await enrolled();
    const pending = aBrowser();
    await signIn(pending, email);
    for (const url of ["/session", "/calls", "/session/two-step", "/sessions"]) {
      expect((await pending.ask("GET", url)).status).toBe(401);
    }
    // Its token is not a session token.
    const token = pending.jar["hearback-second-step"] ?? "";
    const planted = aBrowser();
    planted.jar.hearback = token.split(".")[1] ?? "";
    expect((await planted.ask("GET", "/session")).status).toBe(401);
    const without = await aBrowser().ask("POST", "/session/second-step", { code: codeOf(secret, 1) });
    expect(without).toMatchObject({ status: 401, body: { code: "second_step_expired" } });
    for (const wrong of ["", "x", `${workspaceId}.${"A".repeat(43)}`, `${token}.x`, token.toUpperCase()]) {
      const other = aBrowser();
      other.jar["hearback-second-step"] = wrong;
      const refused = await other.ask("POST", "/session/second-step", { code: codeOf(secret, 1) });
      expect(refused.body.code).toBe("second_step_expired");
    }
    const changed = { current_password: aPassword, new_password: "another horse, another staple" };
    expect((await browser.ask("POST", "/session/password", changed)).status).toBe(204);
    const late = await pending.ask("POST", "/session/second-step", { code: codeOf(secret, 1) });
    expect(late.body.code).toBe("second_step_expired");

    const slow = aBrowser();
    await signIn(slow, email, changed.new_password);
    await admin.query("update pending_sign_in set expires_at = now() where user_id = $1", [id]);
    expect((await slow.ask("POST", "/session/second-step", { code: codeOf(secret, 1) })).body.code).toBe(
      "second_step_expired",
    );
  });

  test("follows a password reset link", async () => {
    const { id, secret } = await enrolled();
    const { link } = (
      await api.inject({
        method: "POST",
        url: `/users/${id}/invitation`,
        payload: { by_mail: false },
        headers: { "x-api-key": await key("manage") },
      })
    ).json();
    const browser = aBrowser();
    const used = await browser.ask("POST", "/session/link", {
      token: link.split("#")[1],
      password: "another horse, another staple",
    });
    expect(used).toMatchObject({ status: 401, body: { code: "second_step_needed" } });
    const done = await browser.ask("POST", "/session/second-step", { code: codeOf(secret, 1) });
    expect(done).toMatchObject({ status: 200, body: { signed_in_by: "link", second_factor: "totp" } });
  });

  test("records a wrong code in the audit log", async () => {
    const { id, email } = await enrolled();
    const browser = aBrowser();
    await signIn(browser, email);
    const entries = await auditOf(service, async () => {
      await browser.ask("POST", "/session/second-step", { code: "000000" });
      await new Promise((resolve) => setTimeout(resolve, 200));
    });
    expect(entries).toMatchObject([{ action: "session.failed", subject_id: id, data: { step: "second" } }]);
  });
});

describe("recovery codes", () => {
  test("replace the second step once each, regardless of case and separators", async () => {
    const { email, recoveryCodes, browser } = await enrolled();
    const [code = ""] = recoveryCodes;
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(code).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
    const { rows } = await admin.query("select hash::text from recovery_code");
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(code).toString("hex"));
    const browsers = [aBrowser(), aBrowser()];
    for (const one of browsers) await signIn(one, email);
    const typed = { recovery_code: ` ${code.toLowerCase().replaceAll("-", " ")} ` };
    const answers = await Promise.all(browsers.map((one) => one.ask("POST", "/session/second-step", typed)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect((await browser.ask("GET", "/session/two-step")).body.recovery_codes_left).toBe(9);
  });

  test("are replaced all at once", async () => {
    const { email, recoveryCodes, browser } = await enrolled();
    const { body } = await browser.ask("POST", "/session/two-step/recovery-codes");
    expect(body.recovery_codes).toHaveLength(10);
    const other = aBrowser();
    await signIn(other, email);
    expect((await other.ask("POST", "/session/second-step", { recovery_code: recoveryCodes[0] })).status).toBe(401);
    expect((await other.ask("POST", "/session/second-step", { recovery_code: body.recovery_codes[0] })).status).toBe(
      200,
    );
  });

  test("cannot be created without a factor", async () => {
    const { email } = await createTestUser(app, workspaceId);
    const browser = aBrowser();
    await signIn(browser, email);
    expect((await browser.ask("POST", "/session/two-step/recovery-codes")).status).toBe(404);
  });
});

describe("required", () => {
  const setRule = async (rule: string) =>
    api.inject({
      method: "PATCH",
      url: "/workspace",
      payload: { settings: { two_step: rule } },
      headers: { "x-api-key": await key("manage") },
    });

  test("users without a factor can only set one up, even in existing sessions", async () => {
    const { email } = await createTestUser(app, workspaceId, { role: "admin" });
    const browser = aBrowser();
    await signIn(browser, email);
    expect((await browser.ask("GET", "/calls")).status).toBe(200);
    const before = (await browser.ask("GET", "/workspace/two-step")).body;
    expect(before.admins).toBeGreaterThan(0);
    await setRule("admins");
    await new Promise((resolve) => setTimeout(resolve, 600));
    for (const [method, url] of [
      ["GET", "/calls"],
      ["GET", "/sessions"],
      ["POST", "/keys"],
      ["PATCH", "/workspace"],
      ["POST", "/session/password"],
    ] as const) {
      const refused = await browser.ask(method, url, method === "GET" ? undefined : {});
      expect(refused).toMatchObject({ status: 403, body: { code: "two_step_required" } });
    }
    expect((await browser.ask("GET", "/session")).body).toMatchObject({ two_step_needed: true });
    expect((await browser.ask("GET", "/session/two-step")).body).toMatchObject({ required: true });
    const agent = aBrowser();
    await signIn(agent, (await createTestUser(app, workspaceId, { role: "agent" })).email);
    expect((await agent.ask("GET", "/calls")).status).toBe(200);
    await setRule("all");
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect((await agent.ask("GET", "/calls")).status).toBe(403);

    const { secret } = (await browser.ask("POST", "/session/two-step/totp")).body;
    await browser.ask("POST", "/session/two-step/totp/confirm", { code: codeOf(secret) });
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect((await browser.ask("GET", "/calls")).status).toBe(200);
    const removed = await browser.ask("DELETE", "/session/two-step/totp");
    expect(removed).toMatchObject({ status: 409, body: { code: "last_factor" } });
    await setRule("optional");
    expect((await browser.ask("DELETE", "/session/two-step/totp")).status).toBe(204);
  });

  test("API keys are not affected", async () => {
    await setRule("all");
    const answer = await api.inject({ method: "GET", url: "/calls", headers: { "x-api-key": await key("read") } });
    expect(answer.statusCode).toBe(200);
    await setRule("optional");
  });
});

describe("reset", () => {
  test("only administrators can remove another user's factors and sessions", async () => {
    const { id, email, browser } = await enrolled();
    const boss = aBrowser();
    await signIn(boss, (await createTestUser(app, workspaceId, { role: "admin" })).email);
    const colleague = aBrowser();
    await signIn(colleague, (await createTestUser(app, workspaceId, { role: "supervisor" })).email);
    expect((await colleague.ask("DELETE", `/users/${id}/two-step`)).status).toBe(403);
    const entries = await auditOf(service, async () => {
      expect((await boss.ask("DELETE", `/users/${id}/two-step`)).status).toBe(204);
    });
    expect(entries).toMatchObject([{ action: "two_step.reset", actor_type: "user", subject_id: id }]);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect((await browser.ask("GET", "/session")).status).toBe(401);
    expect((await signIn(aBrowser(), email)).status).toBe(200);
    await admin.query("update session set confirmed_at = null");
    expect((await boss.ask("DELETE", `/users/${id}/two-step`)).body.code).toBe("confirmation_needed");
  });
});

test("two-step verification is revealed only after the right password", async () => {
  const { email } = await enrolled();
  const wrong = await signIn(aBrowser(), email, "wrong horse battery");
  const unknown = await signIn(aBrowser(), "nobody@example.com", "wrong horse battery");
  const bare = ({ body: { instance: _, request_id: __, ...rest } }: { body: Record<string, unknown> }) => rest;
  expect(bare(wrong)).toEqual(bare(unknown));
});
