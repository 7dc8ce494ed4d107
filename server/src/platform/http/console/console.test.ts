import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../testing/test-app.ts";
import { createTestUser, signedIn } from "../../../testing/users.ts";
import { openServer } from "../server.ts";
import { consoleRoutes } from "./console.ts";
import { preloadTags } from "./console-preload.ts";

const service = await openTestApp();
const { app } = service;
const folder = await mkdtemp(join(tmpdir(), "console-"));
afterAll(() => rm(folder, { recursive: true }));

const page = '<meta nonce="__NONCE__"><script nonce="__NONCE__" src="/console/assets/index-1.js"></script>';
const script = "console.log('hello');".repeat(50);
await mkdir(join(folder, "assets"));
await mkdir(join(folder, ".vite"));
const written: [string, string | Buffer][] = [
  ["index.html", page],
  ["icon.svg", "<svg/>"],
  ["assets/index-1.js", script],
  ["assets/index-1.js.br", brotliCompressSync(script)],
  ["assets/index-1.js.gz", gzipSync(script)],
  ["assets/index-1.js.map", "{}"],
  [".vite/manifest.json", "{}"],
  ["first.json", '{"pages":{}}'],
];
for (const [name, content] of written) await writeFile(join(folder, name), content);

async function open(from: string, as = app) {
  const api = openServer(as);
  await consoleRoutes(api, from);
  await api.ready();
  afterAll(() => api.close());
  return api;
}
const api = await open(folder);
const get = (url: string, headers: Record<string, string> = {}) => api.inject({ url, headers });
const nonceOf = (body: string) => /nonce="([^"]+)"/.exec(body)?.[1] ?? "";

describe("a page", () => {
  test.each(["/console/", "/console/calls", "/console/calls/0199?at=3", "/console/sign-in"])(
    "is at %s",
    async (url) => {
      const answer = await get(url);
      expect([answer.statusCode, answer.headers["content-type"], answer.headers["cache-control"]]).toEqual([
        ...[200, "text/html; charset=utf-8", "no-store"],
      ]);
      const nonce = nonceOf(answer.body);
      expect(nonce).toMatch(/^[A-Za-z0-9+/]{24}$/);
      expect(answer.body).toBe(page.replaceAll("__NONCE__", nonce));
      expect(answer.headers["content-security-policy"]).toContain(`style-src 'self' 'nonce-${nonce}';`);
    },
  );

  test("has a unique nonce", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => get("/console/")));
    expect(new Set(answers.map(({ body }) => nonceOf(body))).size).toBe(20);
  });

  test("allows only same-origin content and no framing", async () => {
    const { headers } = await get("/console/");
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    for (const word of ["unsafe-inline", "unsafe-eval", "http:", "https:", "*"]) expect(policy).not.toContain(word);
    expect(headers).toMatchObject({
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(headers["strict-transport-security"]).toBeUndefined();
  });

  test("sets HSTS if the public URL is https", async () => {
    const secure = await open(folder, { ...app, config: { ...app.config, publicUrl: "https://hearback.example.com" } });
    const { headers } = await secure.inject("/console/");
    expect(headers["strict-transport-security"]).toBe("max-age=31536000");
  });
});

describe("preload tags", () => {
  const texts = { en: ["assets/en.js"], fr: ["assets/fr.js"] };
  const preload = {
    pages: {
      "/sign-in": { asks: [], files: ["assets/sign-in.js"], texts },
      "/calls": { asks: ["/session"], files: ["assets/calls.js", "assets/calls.css"], texts },
      "/calls/$id": { asks: ["/session", "/calls/$id"], files: ["assets/call.js"], texts },
    },
  };
  const id = "018f3398-c100-8ed3-a350-a2bf23af264d";
  const tagsFor = (path: string, accepted?: string) =>
    [...preloadTags(preload, path, accepted).matchAll(/rel="(\w+)".*? href="([^"]+)"/g)].map(
      ([, rel, href]) => `${rel} ${href}`,
    );

  test("list files, API responses, and texts in the browser's language", () => {
    expect(tagsFor("calls", "de, fr-CA;q=0.8, en;q=0.5")).toEqual([
      "preload /session",
      "modulepreload /console/assets/calls.js",
      "stylesheet /console/assets/calls.css",
      "modulepreload /console/assets/fr.js",
    ]);
    expect(tagsFor("sign-in")).toEqual([
      "modulepreload /console/assets/sign-in.js",
      "modulepreload /console/assets/en.js",
    ]);
    expect(tagsFor("")).toEqual(tagsFor("calls"));
  });

  test("contain a call's id only if it is a valid id", () => {
    expect(tagsFor(`calls/${id}`)).toContain(`preload /calls/${id}`);
    for (const path of ['calls/"><script>', "calls/$id", "calls/", `calls/${id}/${id}`, "nowhere"])
      expect(tagsFor(path)).toEqual([]);
  });

  test("come from the build's preload manifest", async () => {
    const noted = await mkdtemp(join(tmpdir(), "console-"));
    await writeFile(join(noted, "index.html"), "<head></head>");
    await writeFile(join(noted, "first.json"), JSON.stringify(preload));
    const { body } = await (await open(noted)).inject(`/console/calls/${id}?t=12`);
    await rm(noted, { recursive: true });
    expect(body).toBe(`<head>${preloadTags(preload, `calls/${id}`, undefined)}</head>`);
  });
});

describe("a file", () => {
  test("is cached indefinitely if its name contains a content hash", async () => {
    const answer = await get("/console/assets/index-1.js");
    expect([answer.body, answer.headers["content-type"]]).toEqual([script, "text/javascript; charset=utf-8"]);
    expect(answer.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect((await get("/console/icon.svg")).headers["cache-control"]).toBe("public, max-age=3600");
  });

  test.each([
    ["gzip, deflate, br, zstd", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip;q=0.5", "gzip"],
    ["br;q=0.0", undefined],
    ["identity", undefined],
    ["", undefined],
  ])("with Accept-Encoding: %s is sent as %s", async (accepted, encoding) => {
    const answer = await get("/console/assets/index-1.js", { "accept-encoding": accepted });
    expect([answer.headers["content-encoding"], answer.headers.vary]).toEqual([encoding, "accept-encoding"]);
    if (encoding === "br") expect(brotliDecompressSync(answer.rawPayload).toString()).toBe(script);
  });

  test("is not sent again if the client has it cached", async () => {
    const first = await get("/console/assets/index-1.js", { "accept-encoding": "br" });
    const tag = String(first.headers.etag);
    const again = { "accept-encoding": "br", "if-none-match": `"other", W/${tag}` };
    expect((await get("/console/assets/index-1.js", again)).statusCode).toBe(304);
    expect((await get("/console/assets/index-1.js", { "if-none-match": tag })).statusCode).toBe(200);
  });
});

test.each([
  "/console/assets/index-2.js",
  "/console/assets/index-1.js.map",
  "/console/assets/index-1.js.br",
  "/console/.vite/manifest.json",
  "/console/index.html",
  "/console/first.json",
  "/console/..%2f..%2fpackage.json",
  "/console/%2e%2e/package.json",
])("%s does not exist", async (url) => {
  const answer = await get(url);
  expect([answer.statusCode, answer.json().code]).toEqual([404, "not_found"]);
});

test("/ redirects to the console, or to the documentation if the console is not built", async () => {
  expect((await get("/")).headers.location).toBe("/console/");
  expect((await get("/console")).headers.location).toBe("/console/");
  const without = await open(join(folder, "nowhere"));
  expect((await without.inject("/")).headers.location).toBe("/docs/");
  const answer = await without.inject("/console/calls");
  expect([answer.statusCode, answer.headers["content-type"]]).toEqual([503, "text/plain; charset=utf-8"]);
  expect(answer.body).toContain("npm run build --workspace console");
});

test("API responses are not cached", async () => {
  const { email } = await createTestUser(app, service.caller.workspaceId);
  const headers = await signedIn(service.api, email);
  const responses = await Promise.all(
    ["/calls", "/campaigns", "/session", "/calls/none"].map((url) => service.api.inject({ url, headers })),
  );
  expect(responses.map(({ headers }) => headers["cache-control"])).toEqual(responses.map(() => "no-store"));
  const byKey = await service.api.inject({ url: "/calls", headers: { "x-api-key": await service.key("read") } });
  expect([byKey.statusCode, byKey.headers["cache-control"]]).toEqual([200, "no-store"]);
  const unauthenticated = await service.api.inject({ url: "/calls" });
  expect([unauthenticated.statusCode, unauthenticated.headers["cache-control"]]).toEqual([401, "no-store"]);
});

test("an error page allows only its own style sheet", async () => {
  const { headers, body } = await service.api.inject("/errors/last_admin");
  const style = /<style>(.*)<\/style>/s.exec(body)?.[1] ?? "";
  const digest = createHash("sha256").update(style).digest("base64");
  expect(headers["content-security-policy"]).toContain(`default-src 'none'; style-src 'sha256-${digest}';`);
});
