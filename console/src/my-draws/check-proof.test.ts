import { agentRoot } from "@hearback/draws/frame";
import { openMerkleTree } from "@hearback/draws/merkle-tree";
import { commitmentTo, drawCalls, drawSeed } from "@hearback/draws/tickets";
import { expect, test } from "vitest";
import { checkProof } from "./check-proof.ts";
import { readOwnCalls } from "./read-proof.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const callId = (number: number) => `0190f3c2-6c0b-7d6e-9b0e-${String(number).padStart(12, "0")}`;

/** The proof of the only agent of a frame. */
function makeProof({ calls = 9, skipped = 0 } = {}) {
  const key = new Uint8Array(32).fill(7);
  const rules = { per_agent: 3 };
  const ids = Array.from({ length: calls }, (_, index) => callId(index));
  const tree = openMerkleTree();
  tree.add(agentRoot(ids));
  const root = tree.root();
  const period = "2026-11-09/2026-11-15";
  const seed = drawSeed({ key, rules, period, root, nonce: "4 8 15" });
  const drawn = drawCalls(seed, ids, 3 + skipped).map((ticket) => ticket.callId);
  const header = {
    format: "hearback.draw/1",
    draw_id: "draw",
    plan: "Weekly",
    period,
    rules,
    commitment: hex(commitmentTo(key)),
    key: hex(key),
    nonce: "4 8 15",
    root: hex(root),
    agents: 1,
    calls,
  };
  const agent = {
    agent_id: "agent",
    index: 0,
    root: hex(agentRoot(ids)),
    calls: ids,
    take: 3,
    drawn,
    skipped: drawn.slice(0, skipped).map((call_id) => ({ call_id, reason: "inaudible" })),
    path: [],
  };
  return { header, agent };
}

type Made = ReturnType<typeof makeProof>;
const textOf = ({ header, agent }: { header: object; agent: object }) =>
  `${JSON.stringify(header)}\n${JSON.stringify(agent)}\n`;
const check = (made: Made, { proof = textOf(made), noted = "" } = {}) => {
  const { steps, ...rest } = checkProof(
    proof,
    { ...made.header, second_commitment: null, mine: { calls: made.header.calls, drawn: 3, skipped: 0 } },
    noted,
  );
  const failed = steps.flatMap(({ step, isCorrect, problems }) => (isCorrect ? [] : [[step, isCorrect, ...problems]]));
  return { ...rest, failed };
};

test("a correct proof passes every step", () => {
  expect(check(makeProof())).toEqual({
    isCorrect: true,
    failed: [],
    calls: 9,
    drawn: 3,
    perAgent: 3,
    isLimited: false,
  });
  expect(check(makeProof({ skipped: 2 })).isCorrect).toBe(true);
  const { commitment } = makeProof().header;
  expect(check(makeProof(), { noted: ` ${commitment.toUpperCase()} ` }).isCorrect).toBe(true);
});

test("another commitment than the one that the agent noted, or that is shown, fails", () => {
  expect(check(makeProof(), { noted: "00" }).failed).toEqual([["key", false, "noted"]]);
  const made = makeProof();
  const proof = textOf(makeProof({ calls: 8 }));
  expect(check(made, { proof }).failed).toEqual([["key", false, "published"]]);
});

test("another key, another call and another choice fail their step", () => {
  const made = makeProof();
  const { header, agent } = made;
  const key = "11".repeat(32);
  expect(check({ ...made, header: { ...header, key } }).failed).toEqual([
    ["key", false, "commitment"],
    ["tickets", false, "drawn"],
  ]);
  const calls = agent.calls.toSpliced(8, 1, callId(99));
  expect(check({ ...made, agent: { ...agent, calls } }).failed).toContainEqual(["calls", false, "agent_root"]);
  const drawn = agent.calls.filter((id) => !agent.drawn.includes(id)).slice(0, 3);
  expect(check({ ...made, agent: { ...agent, drawn } }).failed).toEqual([["tickets", false, "drawn"]]);
});

test("calls that are left out fail", () => {
  const made = makeProof();
  const { calls: _, drawn: __, ...agent } = made.agent;
  expect(check(made, { proof: textOf({ header: made.header, agent }) }).failed).toEqual([
    ["calls", false, "agent_root"],
    ["tickets", null],
  ]);
});

test("fewer calls than the rules say fail, unless a monthly limit permits it", () => {
  const { header, agent } = makeProof();
  const fewer = { ...agent, take: 2, drawn: agent.drawn.slice(0, 2) };
  expect(check({ header, agent: fewer }).failed).toEqual([["tickets", false, "take"]]);
});

test("a file that is no proof fails", () => {
  const { failed, isCorrect } = check(makeProof(), { proof: "hello" });
  expect(isCorrect).toBe(false);
  expect(failed[0]).toEqual(["key", false, "invalid"]);
});

test("reads the drawn calls with the reasons of skipped ones", () => {
  const made = makeProof({ skipped: 1 });
  const [first, second] = made.agent.drawn;
  const own = readOwnCalls(textOf(made));
  expect(own?.calls).toHaveLength(9);
  expect(own?.drawn.slice(0, 2)).toEqual([
    { callId: first, skipped: "inaudible" },
    { callId: second, skipped: undefined },
  ]);
  expect(readOwnCalls(textOf({ header: made.header, agent: { ...made.agent, calls: undefined } }))).toBeUndefined();
});
