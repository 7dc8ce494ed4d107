import type { AgentScore } from "@hearback/sdk";
import { expect, test } from "vitest";
import { byTeam } from "./by-team.ts";

const none = { n: 0, value: null, low: null, high: null };
const agent = (name: string, team_id: string | null, value: number): AgentScore => ({
  ...{ agent_id: name, name, team_id, reviews: 9, reviews_needed: 0, passed: none, score: none },
  shrunk: { n: 9, value, low: value - 100, high: value + 100 },
});

test("agents are in the order of their names within their team, whatever their scores", () => {
  const agents = [
    agent("Zoé", "b", 9900),
    agent("Émile", "b", 5000),
    agent("Ann", null, 7000),
    agent("Fay", "a", 8000),
  ];
  const teams = byTeam(agents, (id) => (id === "a" ? "Sales" : "Billing"), "fr");
  expect(teams.map(({ teamId, agents: of }) => [teamId, of.map(({ name }) => name)])).toEqual([
    ["b", ["Émile", "Zoé"]],
    ["a", ["Fay"]],
    [null, ["Ann"]],
  ]);
});
