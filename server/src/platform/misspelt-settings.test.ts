import { expect, test } from "vitest";
import { findMisspeltSettings } from "./misspelt-settings.ts";

test("warns about names that resemble a setting, without their values", () => {
  const environment = { MAIL_FORM: "secret", DATABSE_URL: "secret", LOG_LEVEL: "info" };
  expect(findMisspeltSettings(environment)).toEqual([
    "MAIL_FORM is not a setting and has no effect. Do you mean MAIL_FROM?",
    "DATABSE_URL is not a setting and has no effect. Do you mean DATABASE_URL?",
  ]);
});

test("does not warn about variables of other programs", () => {
  const names =
    "SHELL HOME PATH HOSTNAME TERM LANG LOGNAME NODE_OPTIONS AWS_REGION HTTPS_PROXY JOURNAL_STREAM PGHOST SYSTEMD_EXEC_PID";
  expect(findMisspeltSettings(Object.fromEntries(names.split(" ").map((name) => [name, "x"])))).toEqual([]);
});
