import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { openTestApp } from "../../../testing/test-app.ts";

const { api } = await openTestApp();
const get = (url: string, headers: Record<string, string> = {}) => api.inject({ url, headers });

describe.each([
  ["/docs/", "text/html; charset=utf-8"],
  ["/docs/js/scalar.js", "text/javascript; charset=utf-8"],
  ["/openapi.json", "application/json; charset=utf-8"],
])("%s", (url, type) => {
  test("is served compressed", async () => {
    const plain = await get(url);
    expect([plain.statusCode, plain.headers["content-type"]]).toEqual([200, type]);
    const [gzip, br] = [
      await get(url, { "accept-encoding": "gzip" }),
      await get(url, { "accept-encoding": "gzip, br" }),
    ];
    expect([gzip, br].map(({ headers }) => headers["content-encoding"])).toEqual(["gzip", "br"]);
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(br.rawPayload.length).toBeLessThan(plain.rawPayload.length * 0.7);
  });

  test("is not sent again if the client has it cached", async () => {
    const { headers } = await get(url);
    expect(headers["cache-control"]).toBe("public, no-cache");
    const again = await get(url, { "if-none-match": String(headers.etag) });
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
  });
});

test("the page's script URL contains a content hash and is cached indefinitely", async () => {
  const [, script = ""] = /src="(js\/scalar\.js\?v=[\w-]+)"/.exec((await get("/docs/")).body) ?? [];
  expect(script).not.toBe("");
  expect((await get(`/docs/${script}`)).headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  expect((await get("/docs/js/scalar.js?v=other")).headers["cache-control"]).toBe("public, no-cache");
});

test("an error page is not sent again if the client has it cached", async () => {
  const { headers, statusCode } = await get("/errors/internal");
  expect(statusCode).toBe(200);
  expect((await get("/errors/internal", { "if-none-match": String(headers.etag) })).statusCode).toBe(304);
});

test("/docs redirects to /docs/", async () => {
  const { statusCode, headers } = await get("/docs");
  expect([statusCode, headers.location]).toEqual([301, "/docs/"]);
});
