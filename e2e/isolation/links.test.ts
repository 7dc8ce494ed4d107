import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { download, get, sha256, waitForCall, withEveryScope } from "../support/http/call-details.ts";
import { importCall, type Service } from "../support/http/service.ts";
import { makeWav } from "../support/recordings/sounds.ts";
import { type ApiProcess, engine, openStack, type Stack } from "../support/stack/stack.ts";
import { openStore } from "../support/stack/store.ts";
import { until } from "../support/waiting.ts";

/*
 * A playback link (presigned URL) expires, opens one object, and is read-only. Tested against the real store.
 */
describe.runIf(engine === "s3")("a playback link", () => {
  let stack: Stack;
  let api: ApiProcess;
  /** An API process that redirects to presigned URLs. */
  let service: Service;
  const recording = makeWav({ seconds: 1, channels: 2 });
  let callId: string;
  let otherId: string;

  beforeAll(async () => {
    stack = await openStack();
    api = await stack.startApi({ env: { PLAYBACK: "redirect" } });
    const { campaignId, agentEmail, apiKey } = stack;
    service = await withEveryScope(stack, { baseUrl: api.baseUrl, campaignId, agentEmail, apiKey });
    callId = (await importCall(service, { file: recording })).id;
    otherId = (await importCall(service)).id;
    const worker = await stack.startWorker();
    for (const id of [callId, otherId]) expect((await waitForCall(service, id)).status).toBe("ready");
    await worker.stop();
  }, 120_000);
  afterAll(async () => {
    await stack?.stop();
  });

  async function linkTo(id: string, { from = service, query = "" } = {}): Promise<URL> {
    const answer = await get(from, `/calls/${id}/audio${query}`);
    expect([answer.status, answer.headers["cache-control"], answer.text]).toEqual([302, "no-store", ""]);
    return new URL(answer.headers.location ?? "");
  }
  const fetchBytes = async (url: URL, init?: RequestInit) => {
    const answer = await fetch(url, init);
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
  };

  test("returns the same bytes and content type as the API", async () => {
    const streaming = await stack.startApi();
    const streamed = await download({ ...service, baseUrl: streaming.baseUrl }, `/calls/${callId}/audio`);
    await streaming.stop();
    const heard = await fetchBytes(await linkTo(callId));
    expect([heard.status, sha256(heard.bytes)]).toEqual([200, sha256(streamed)]);
    expect([heard.headers.get("content-type"), heard.headers.get("content-disposition")]).toEqual([
      "audio/mp4",
      `inline; filename="${callId}.m4a"`,
    ]);
    const original = await fetchBytes(await linkTo(callId, { query: "?original=true" }));
    expect([original.headers.get("content-type"), sha256(original.bytes)]).toEqual(["audio/wav", sha256(recording)]);
  });

  test("supports range requests, also through the redirect", async () => {
    const range = { range: "bytes=4-7" };
    const part = await fetchBytes(await linkTo(callId), { headers: range });
    expect([part.status, part.bytes.toString()]).toEqual([206, "ftyp"]);
    const followed = await fetch(`${service.baseUrl}/calls/${callId}/audio`, {
      headers: { ...range, "x-api-key": service.apiKey },
    });
    expect([followed.status, followed.redirected, await followed.text()]).toEqual([206, true, "ftyp"]);
  });

  const changes: Readonly<Record<string, (url: URL, other: URL) => void>> = {
    "another object": (url, other) => {
      url.pathname = other.pathname;
    },
    "the bucket": (url) => {
      url.pathname = `/${stack.env.S3_BUCKET}/`;
    },
    "a longer expiry": (url) => url.searchParams.set("X-Amz-Expires", "86400"),
    "a later start": (url) => {
      const later = new Date(Date.now() + 60_000).toISOString().replace(/[-:]|\.\d{3}/g, "");
      url.searchParams.set("X-Amz-Date", later);
    },
    "another type": (url) => url.searchParams.set("response-content-type", "text/html"),
    "no signature": (url) => url.searchParams.delete("X-Amz-Signature"),
  };
  test.each(Object.keys(changes))("does not open %s", async (name) => {
    const url = await linkTo(callId);
    changes[name]?.(url, await linkTo(otherId));
    const answer = await fetchBytes(url);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });

  test.each(["PUT", "POST", "DELETE"])("does not allow %s", async (method) => {
    const url = await linkTo(callId);
    const before = sha256((await fetchBytes(url)).bytes);
    const answer = await fetchBytes(url, { method, ...(method !== "DELETE" && { body: "something else" }) });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(sha256((await fetchBytes(url)).bytes)).toBe(before);
    const store = openStore(stack);
    expect(await store.keys()).toHaveLength(6);
    await store.close();
  });

  test("expires: a link of 2 s works immediately and not after 4 s", async () => {
    const brief = await stack.startApi({ env: { PLAYBACK: "redirect", PLAYBACK_LINK_SECONDS: "2" } });
    const url = await linkTo(callId, { from: { ...service, baseUrl: brief.baseUrl } });
    expect((await fetchBytes(url)).status).toBe(200);
    await sleep(4_000);
    expect((await fetchBytes(url)).status).toBe(403);
    await brief.stop();
  });

  test("expires after at most five minutes, whatever is configured", async () => {
    expect(Number((await linkTo(callId)).searchParams.get("X-Amz-Expires"))).toBeLessThanOrEqual(300);
    const started = stack.startApi({ env: { PLAYBACK: "redirect", PLAYBACK_LINK_SECONDS: "301" } });
    await expect(started).rejects.toThrow(/PLAYBACK_LINK_SECONDS: must be at most 300/);
  });

  test("uses the public address of the store", async () => {
    const outside = await stack.startApi({
      env: { PLAYBACK: "redirect", S3_PUBLIC_ENDPOINT: "https://sound.example.com/" },
    });
    const url = await linkTo(callId, { from: { ...service, baseUrl: outside.baseUrl } });
    expect(url.origin).toBe("https://sound.example.com");
    expect(url.pathname).toBe((await linkTo(callId)).pathname);
    await outside.stop();
  });

  test("is not issued to a revoked key", async () => {
    const { id, key } = await stack.command<{ id: string; key: string }>(
      ...["key", "create", "--workspace", stack.workspaceId, "--name", "leaver", "--scope", "read", "--json"],
    );
    const leaver = { ...service, apiKey: key };
    await linkTo(callId, { from: leaver });
    // Keep using the key, so that the API caches it as long as possible.
    let asking = true;
    const use = (async () => {
      while (asking) await get(leaver, `/calls/${callId}/audio`);
    })();
    await stack.command("key", "revoke", "--workspace", stack.workspaceId, id, "--json");
    const ask = async () => (await get(leaver, `/calls/${callId}/audio`)).status;
    await until("the key is rejected", 1_000, async () => (await ask()) === 401);
    asking = false;
    await use;
  });

  test("does not appear in the log", async () => {
    const url = await linkTo(callId);
    expect(api.log()).toContain(callId);
    for (const word of ["X-Amz", url.searchParams.get("X-Amz-Signature") ?? "", url.pathname]) {
      expect(api.log()).not.toContain(word);
    }
  });
});

test.runIf(engine === "filesystem")("links cannot be configured without S3", async () => {
  const stack = await openStack();
  await expect(stack.startApi({ env: { PLAYBACK: "redirect" } })).rejects.toThrow(/PLAYBACK: .*STORAGE=s3/);
  await stack.stop();
});
