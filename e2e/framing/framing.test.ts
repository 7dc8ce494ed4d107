import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRaw, type RawConnection } from "../support/http/raw-http.ts";
import { uniqueEmail } from "../support/http/service.ts";
import { type Nginx, startNginx } from "../support/servers/nginx.ts";
import { type ApiProcess, openStack, type Stack } from "../support/stack/stack.ts";
import { until } from "../support/waiting.ts";
import { type Pieces, type Probe, probes } from "./probes.ts";

const answerWithinMs = 5_000;
/** How long to wait for an unexpected extra response. */
const silenceMs = 100;

let stack: Stack;
let api: ApiProcess;
let nginx: Nginx;

beforeAll(async () => {
  stack = await openStack();
  api = await stack.startApi();
  nginx = await startNginx(api.port);
});
afterAll(async () => {
  await nginx?.stop();
  await stack?.stop();
});

const invitation = (email: string) =>
  JSON.stringify({ email, name: "Ann Lee", role: "agent", send_invite_email: false });

function piecesFor(port: number, seen: string, unseen: string): Pieces {
  const host = `127.0.0.1:${port}`;
  const body = invitation(unseen);
  const hidden = [
    "POST /users/invite HTTP/1.1",
    `Host: ${host}`,
    `x-api-key: ${stack.apiKey}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "",
    body,
  ].join("\r\n");
  return { host, apiKey: stack.apiKey, json: invitation(seen), hidden };
}

async function invited(email: string): Promise<boolean> {
  const { rowCount } = await stack.adminDb.query("select 1 from app_user where email = $1", [email]);
  return rowCount !== 0;
}

/** Sends a probe and reads until the connection ends or no further response comes. */
async function converse(port: number, probe: Probe, pieces: Pieces, answers: number): Promise<RawConnection> {
  const connection = await openRaw(port);
  const sending = connection.send(Buffer.from(probe.bytes(pieces), "latin1"));
  if (probe.halfClose) void sending.then(() => connection.socket.end());
  await connection.waitForAnswers(answers, answerWithinMs);
  return connection;
}

const statusesOf = (connection: RawConnection) => connection.answers.map(({ status }) => status);

/** 4xx, 501 (unknown transfer coding) or 505 (unknown HTTP version). */
const isRefusal = (status: number) => (status >= 400 && status < 500) || status === 501 || status === 505;

async function expectOutcome(connection: RawConnection, expected: Probe["expected"]): Promise<void> {
  if (typeof expected === "string") {
    expect(await connection.endedWithin(answerWithinMs), "the connection is closed").toBe(true);
    expect(statusesOf(connection).length).toBeLessThanOrEqual(1);
    if (expected === "refused") expect(statusesOf(connection).filter((status) => !isRefusal(status))).toEqual([]);
  } else {
    await connection.endedWithin(silenceMs);
    expect(statusesOf(connection)).toEqual(expected);
    expect(connection.rest()).toBe("");
  }
}

const answersTo = (expected: Probe["expected"] | "repaired") => (typeof expected === "string" ? 1 : expected.length);

describe("direct", () => {
  test.each(probes)("$name", async (probe) => {
    const [seen, unseen] = [uniqueEmail("seen"), uniqueEmail("unseen")];
    const { expected } = probe;
    const connection = await converse(api.port, probe, piecesFor(api.port, seen, unseen), answersTo(expected));
    try {
      await expectOutcome(connection, expected);
      expect(await invited(unseen), "the hidden request was seen").toBe(false);
      expect(await invited(seen)).toBe(typeof expected !== "string" && expected.includes(201));
    } finally {
      connection.close();
    }
  });

  test("a client that ends before its body ends gets one response", async () => {
    const connection = await openRaw(api.port);
    await connection.send(
      [
        "POST /calls/audio HTTP/1.1",
        `Host: 127.0.0.1:${api.port}`,
        `x-api-key: ${stack.apiKey}`,
        "Content-Type: text/plain",
        "Content-Length: 500",
        "",
        "a",
      ].join("\r\n"),
    );
    await connection.waitForAnswers(1, answerWithinMs);
    connection.socket.end();
    expect(await connection.endedWithin(answerWithinMs), "the connection is closed").toBe(true);
    expect(statusesOf(connection)).toEqual([400]);
    connection.close();
  });

  test("the hidden request works if sent alone", async () => {
    const [seen, unseen] = [uniqueEmail("seen"), uniqueEmail("unseen")];
    const { hidden } = piecesFor(api.port, seen, unseen);
    const connection = await openRaw(api.port);
    await connection.send(hidden);
    await connection.waitForAnswers(1, answerWithinMs);
    expect(statusesOf(connection)).toEqual([201]);
    expect(await invited(unseen)).toBe(true);
    connection.close();
  });
});

describe("behind nginx", () => {
  test.each(probes)("$name", async (probe) => {
    const [seen, unseen] = [uniqueEmail("seen"), uniqueEmail("unseen")];
    const expected = probe.behindNginx ?? probe.expected;
    const count = answersTo(expected);
    const connection = await converse(nginx.port, probe, piecesFor(nginx.port, seen, unseen), count);
    try {
      if (expected !== "repaired") await expectOutcome(connection, expected);
      await connection.endedWithin(silenceMs);
      // nginx may reject what follows a request that it repaired. The API must see at most one request.
      const answered = statusesOf(connection).filter((status) => !isRefusal(status));
      expect(answered.length).toBeLessThanOrEqual(count);
      expect(await invited(unseen), "the hidden request was seen").toBe(false);
    } finally {
      connection.close();
    }
    // The next client gets its own response over nginx's keep-alive connection to the API.
    const next = await fetch(`http://127.0.0.1:${nginx.port}/users/invite`, {
      method: "POST",
      headers: { "x-api-key": stack.apiKey, "content-type": "application/json" },
      body: invitation(seen.replace("seen", "next")),
    });
    expect(next.status).toBe(201);
    expect(await next.json()).toMatchObject({ email: seen.replace("seen", "next") });
  });
});

test("there are at least 40 probes", () => {
  expect(probes.filter(({ expected }) => expected === "refused").length).toBeGreaterThanOrEqual(40);
});

describe("timeouts", () => {
  const graceMs = 2_000;
  const slackMs = 20_000;
  let hasty: ApiProcess;

  beforeAll(async () => {
    hasty = await stack.startApi({
      env: { HEADERS_TIMEOUT_SECONDS: "2", REQUEST_TIMEOUT_SECONDS: "4", BODY_GRACE_SECONDS: "2" },
    });
  });
  afterAll(async () => {
    await hasty?.stop();
  });

  const head = (length: number) =>
    [
      "POST /calls/audio HTTP/1.1",
      `Host: 127.0.0.1:${hasty.port}`,
      `x-api-key: ${stack.apiKey}`,
      "Content-Type: multipart/form-data; boundary=X",
      `Content-Length: ${length}`,
      "",
      "",
    ].join("\r\n");
  const beginning = '--X\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\nRIFF';

  async function expectCut(connection: RawConnection, afterMs: number): Promise<void> {
    const begun = Date.now();
    expect(await connection.endedWithin(afterMs + slackMs), "closed in time").toBe(true);
    expect(Date.now() - begun).toBeGreaterThan(afterMs - 500);
    expect(statusesOf(connection).filter((status) => !isRefusal(status))).toEqual([]);
    connection.close();
  }

  test.concurrent("closes a connection with an unfinished header", async () => {
    const connection = await openRaw(hasty.port);
    await connection.send("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ");
    await expectCut(connection, graceMs);
  });

  test.concurrent("closes a connection that sends its header byte by byte", async () => {
    const connection = await openRaw(hasty.port);
    await connection.send("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ");
    const drip = setInterval(() => void connection.send("a"), 200);
    try {
      await expectCut(connection, graceMs);
    } finally {
      clearInterval(drip);
    }
  });

  test.concurrent("closes a connection with a stalled body", async () => {
    const connection = await openRaw(hasty.port);
    await connection.send(head(100_000) + beginning);
    await expectCut(connection, graceMs);
  });

  test.concurrent("closes a connection with an endless body at the request timeout", async () => {
    const connection = await openRaw(hasty.port);
    await connection.send(head(10_000_000) + beginning);
    const stream = setInterval(() => void connection.send("a".repeat(2_000)), 200);
    try {
      await expectCut(connection, 4_000);
    } finally {
      clearInterval(stream);
    }
  });

  test("they leave nothing behind", async () => {
    await until("no staged row is left", 10_000, async () => {
      const { rowCount } = await stack.adminDb.query("select 1 from staged_object");
      return rowCount === 0;
    });
    expect((await fetch(`${hasty.baseUrl}/readyz`)).status).toBe(200);
  });
});
