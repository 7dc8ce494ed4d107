import { ServiceError } from "@hearback/sdk";
import { expect, test } from "vitest";
import { ManifestError } from "../manifest/finding-codes.ts";
import { openStyle } from "../terminal/style.ts";
import { failureBody, tellFailure, toFailure } from "./report-failure.ts";

const style = openStyle({ write: () => true }, {});
const tell = (error: unknown) => tellFailure(toFailure(error), style);

test("what is wrong with a manifest is told with its remedies", () => {
  const one = { code: "manifest_empty", detail: "It is empty.", fix: "Export it again." } as const;
  expect(tell(new ManifestError([one]))).toBe("hearback: It is empty.\n  Export it again.\n");
  const two = { code: "column_missing", detail: "There is no time.", fix: "Name it." } as const;
  expect(tell(new ManifestError([one, two]))).toBe(
    "hearback: This cannot be used as it is.\n  - It is empty. Export it again.\n  - There is no time. Name it.\n",
  );
  expect(toFailure(new ManifestError([one])).exitCode).toBe(2);
});

test("an error that knows how the command ends is believed", () => {
  expect(toFailure(Object.assign(new Error("Enough."), { exitCode: 4 }))).toMatchObject({
    exitCode: 4,
    message: "Enough.",
  });
  expect(toFailure(Object.assign(new Error("Odd."), { exitCode: 77 }))).toMatchObject({ exitCode: 70, code: "defect" });
});

test("every wrong part of a request is named", () => {
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
  expect(tell(error)).toBe(
    "hearback: Values are wrong.\n  - name: must not be empty\n  - email: must be an address\n  Request id, if you ask for help: r\n",
  );
});

test("what others wrote cannot touch the terminal, and no key is told", () => {
  const error = new Error(`\x1b[2Jbad header "hb_c0_${"s".repeat(49)}"`);
  expect(tell(error)).not.toContain("ssss");
  expect(tell(error)).not.toContain("\x1b");
  expect(failureBody(toFailure(error))).not.toContain("ssss");
});
