import { ServiceError } from "@hearback/sdk";
import { expect, test } from "vitest";
import { resolveTeam } from "./team-choice.ts";

const create = async (name: string) => ({ id: `id of ${name}` });
const failure = (code: "team_exists" | "team_limit_reached", members = {}) =>
  new ServiceError("refused", {
    status: 409,
    code,
    problem: { type: "", title: "", status: 409, code, detail: "", request_id: "", ...members },
    attempts: 1,
    nothingDone: true,
  });

test("an existing team and no team need no request", async () => {
  const never = () => Promise.reject(new Error("must not be called"));
  expect(await resolveTeam("lyon", never)).toBe("lyon");
  expect(await resolveTeam(null, never)).toBeNull();
});

test("a new team is created with a trimmed name", async () => {
  expect(await resolveTeam({ newName: " Lyon " }, create)).toBe("id of Lyon");
});

test("a new team whose name is taken is the existing team", async () => {
  const taken = () => Promise.reject(failure("team_exists", { team: { id: "lyon" } }));
  expect(await resolveTeam({ newName: "LYON" }, taken)).toBe("lyon");
});

test("other errors are reported", async () => {
  const error = failure("team_limit_reached");
  await expect(resolveTeam({ newName: "Lyon" }, () => Promise.reject(error))).rejects.toBe(error);
});
