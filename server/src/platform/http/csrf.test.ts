import type { FastifyRequest } from "fastify";
import { describe, expect, test } from "vitest";
import { rejectCrossOrigin, requireSameOrigin } from "./csrf.ts";

const change = (headers: Record<string, string>) => ({ method: "POST", headers }) as unknown as FastifyRequest;
const outcome = (act: () => void) => {
  try {
    act();
    return "accepted";
  } catch (error) {
    return (error as { code: string }).code;
  }
};

const publicUrl = "https://hearback.example.com";
const rebound = { host: "evil.example:8080", origin: "https://evil.example:8080" };

describe.each([
  ["with a session", requireSameOrigin],
  ["without a session", rejectCrossOrigin],
])("a change %s", (_, check) => {
  test.each([
    ["PUBLIC_URL", { host: "10.0.0.5:8080", origin: publicUrl }, "accepted"],
    ["the request's own Host, which is not PUBLIC_URL", rebound, "origin_forbidden"],
    [
      "PUBLIC_URL without TLS",
      { host: "hearback.example.com", origin: "http://hearback.example.com" },
      "origin_forbidden",
    ],
  ])("from %s, with PUBLIC_URL set: %s", (_, headers, expected) => {
    expect(outcome(() => check(change(headers), { publicUrl, publicUrlGiven: true }))).toBe(expected);
  });

  test.each([
    ["the request's own Host", { host: "10.0.0.5:8080", origin: "http://10.0.0.5:8080" }, "accepted"],
    ["the default address", { host: "10.0.0.5", origin: "http://127.0.0.1:8080" }, "accepted"],
    ["elsewhere", { host: "10.0.0.5:8080", origin: "http://10.0.0.6:8080" }, "origin_forbidden"],
  ])("from %s, without PUBLIC_URL: %s", (_, headers, expected) => {
    const address = { publicUrl: "http://127.0.0.1:8080", publicUrlGiven: false };
    expect(outcome(() => check(change(headers), address))).toBe(expected);
  });
});
