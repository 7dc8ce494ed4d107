import { expect, test } from "vitest";
import { actionsFor, type Reader } from "./rights.ts";

const admin: Reader = { id: "1", role: "admin", provider: true };
const supervisor: Reader = { id: "2", role: "supervisor", provider: true };
const agent = { id: "3", role: "agent", status: "active" } as const;

test("administrators can do everything to others, and cannot lock themselves out", () => {
  expect(actionsFor(admin, agent)).toEqual(["change", "invitation", "sessions", "unlink", "deactivate"]);
  expect(actionsFor(admin, { ...agent, status: "deactivated" })).not.toContain("invitation");
  expect(actionsFor({ ...admin, provider: false }, agent)).not.toContain("unlink");
  expect(actionsFor(admin, { id: admin.id, role: "admin", status: "active" })).toEqual(["change", "sessions"]);
});

test("supervisors choose the team of everyone, and invite agents and reviewers", () => {
  expect(actionsFor(supervisor, agent)).toEqual(["team", "invitation"]);
  expect(actionsFor(supervisor, { ...agent, status: "deactivated" })).toEqual(["team"]);
  expect(actionsFor(supervisor, { ...agent, role: "admin" })).toEqual(["team"]);
});

test("others can do nothing", () => {
  expect(actionsFor({ ...supervisor, role: "reviewer" }, agent)).toEqual([]);
});
