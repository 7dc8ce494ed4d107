import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, test } from "vitest";
import { openTestApp } from "../../testing/test-app.ts";

const { api, key } = await openTestApp({ PUBLIC_URL: "https://hearback.example.com" });
const apiKey = await key("read");

const everywhere = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "strict-transport-security": "max-age=31536000",
};

describe("every response has the security headers", () => {
  test.each([
    ...[
      "/calls",
      "/limits",
      "/nowhere",
      "/docs/",
      "/docs/js/scalar.js",
      "/openapi.json",
      "/errors/internal",
      "/healthz",
    ],
    ...["/readyz", "/metrics", "/session/options", "/", "/console", "/console/", "/console/nowhere.js", "/%"],
  ])("%s", async (url) => {
    const { headers } = await api.inject({ url, headers: { "x-api-key": apiKey } });
    expect(headers).toMatchObject(everywhere);
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; .*frame-ancestors 'none'/);
  });

  test("an unauthenticated request", async () => {
    const { statusCode, headers } = await api.inject("/calls");
    expect([statusCode, headers]).toMatchObject([401, everywhere]);
  });

  test("a malformed request", async () => {
    await api.listen({ port: 0 });
    const socket = connect((api.server.address() as AddressInfo).port);
    socket.end("no HTTP\r\n\r\n");
    let answer = "";
    socket.setEncoding("utf8").on("data", (text) => (answer += text));
    await once(socket, "close");
    for (const [name, value] of Object.entries(everywhere)) expect(answer).toContain(`\r\n${name}: ${value}\r\n`);
  });
});
