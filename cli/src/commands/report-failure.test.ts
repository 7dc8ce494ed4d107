import { ServiceError } from "@hearback/sdk";
import { expect, test } from "vitest";
import { ManifestError } from "../manifest/finding-codes.ts";
import { openStyle } from "../terminal/style.ts";
import { failureBody, formatFailure, toFailure } from "./report-failure.ts";

const style = openStyle({ write: () => true }, {});
const format = (error: unknown) => formatFailure(toFailure(error), style);

test("reports manifest errors with their fixes", () => {
  const one = { code: "manifest_empty", detail: "It is empty.", fix: "Export it again." } as const;
  expect(format(new ManifestError([one]))).toBe("hearback: It is empty.\n  Export it again.\n");
  const two = { code: "column_missing", detail: "There is no time.", fix: "Name it." } as const;
  expect(format(new ManifestError([one, two]))).toBe(
    "hearback: The manifest has errors.\n  - It is empty. Export it again.\n  - There is no time. Name it.\n",
  );
  expect(toFailure(new ManifestError([one])).exitCode).toBe(2);
});

test("uses the exit code of the error if it is a known one", () => {
  expect(toFailure(Object.assign(new Error("Enough."), { exitCode: 4 }))).toMatchObject({
    exitCode: 4,
    message: "Enough.",
  });
  expect(toFailure(Object.assign(new Error("Odd."), { exitCode: 77 }))).toMatchObject({ exitCode: 70, code: "defect" });
});

test("reports every invalid part of a request", () => {
  const errors = [
    { part: "name", code: "too_short", detail: "must not be empty" },
    { part: "email", code: "wrong_type", detail: "must be an address" },
  ];
  const problem = {
    type: "",
    title: "",
    status: 422,
    code: "fields_invalid",
    detail: "Values are wrong.",
    request_id: "r",
    errors,
  };
  const error = new ServiceError("Values are wrong.", {
    status: 422,
    code: "fields_invalid",
    requestId: "r",
    problem,
    attempts: 1,
    nothingDone: true,
  });
  expect(format(error)).toBe(
    "hearback: Values are wrong.\n  - name: must not be empty\n  - email: must be an address\n  Request id: r\n",
  );
});

test("removes control characters and API keys", () => {
  const error = new Error(`\x1b[2Jbad header "hb_c0_${"s".repeat(49)}"`);
  expect(format(error)).not.toContain("ssss");
  expect(format(error)).not.toContain("\x1b");
  expect(failureBody(toFailure(error))).not.toContain("ssss");
});
