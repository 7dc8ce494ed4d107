import { readFileSync } from "node:fs";
import { ServiceError, type ServiceErrorCode } from "@hearback/sdk";
import { expect, test } from "vitest";
import { isRetryable, retryReason } from "./concurrency/retryable-errors.ts";
import { explainFailure, fixes } from "./explain-failure.ts";

const documented = readFileSync(new URL("../../../docs/errors.md", import.meta.url), "utf8");
/** Codes that look-ups and imports never return. */
const notOfImports =
  /^((user|team|key|erasure|hold|webhook|event|session|passkey|note|dispute|plan|draw|assignment|calibration|what_if|transcript)_not_found|(scorecard|review|answer)_.*|link_ended)$/;

const codesOf = (status: number) => {
  const part = documented.split(/^## /m).find((section) => section.startsWith(String(status))) ?? "";
  return [...part.matchAll(/^### `(\w+)`/gm)].flatMap(([, code = ""]) => (notOfImports.test(code) ? [] : [code]));
};

test.each([400, 404, 413, 422].flatMap(codesOf))("there is a fix for %s", (code) => {
  expect(fixes[code]).toBeDefined();
});

test("lists every invalid part and the request id", () => {
  const errors = [
    { part: "conversation_timestamp", code: "milliseconds", detail: "must be in seconds" },
    { part: "metadata", code: "wrong_type", detail: "must be an array" },
  ];
  const problem = {
    type: "",
    title: "",
    status: 422,
    code: "fields_invalid",
    detail: "wrong",
    request_id: "r-1",
    errors,
  };
  const error = new ServiceError("wrong", {
    status: 422,
    code: "fields_invalid",
    requestId: "r-1",
    problem,
    attempts: 1,
    nothingDone: true,
  });
  expect(explainFailure(error)).toEqual({
    code: "fields_invalid",
    reason: "conversation_timestamp: must be in seconds; metadata: must be an array (request r-1)",
    fix: "Correct the value in this row.",
  });
});

const failure = (status: number, code: ServiceErrorCode, cause?: unknown) =>
  new ServiceError(`No answer: ${code}`, { status, code, attempts: 1, nothingDone: false }, { cause });

test.each([
  [
    failure(0, "unreachable", Object.assign(new Error("connect"), { code: "ECONNREFUSED" })),
    "the service is unreachable (connection refused)",
  ],
  [
    failure(
      0,
      "unreachable",
      new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code: "ENOTFOUND" }) }),
    ),
    "the service is unreachable (host not found)",
  ],
  [failure(0, "unreachable", new Error("no traffic for 60 s")), "the service is unreachable (no traffic for 60 s)"],
  [failure(503, "database_unavailable"), "the service is unavailable (503, database_unavailable)"],
  [failure(429, "rate_exceeded"), "the service is limiting requests (rate_exceeded)"],
  [failure(200, "not_understood"), "the response does not come from the service"],
  [failure(404, "http_404"), "the response does not come from the service"],
])("%s is retryable and displayed as: %s", (error, text) => {
  expect(isRetryable(error)).toBe(true);
  expect(retryReason(error)).toBe(text);
});

test.each([
  failure(401, "unauthenticated"),
  failure(422, "recording_empty"),
  failure(429, "quota_exceeded"),
  failure(302, "http_302"),
  new RangeError("ours"),
])("%s is not retryable", (error) => {
  expect(isRetryable(error)).toBe(false);
});
