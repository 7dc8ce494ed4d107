import { bytesToHex as hex } from "@noble/hashes/utils.js";
import { expect, test } from "vitest";
import { agentRoot, frameRoot, openAgentRoot } from "./frame.ts";
import { inclusionPath } from "./merkle-tree.ts";
import { commitmentTo, drawCalls, drawSeed } from "./tickets.ts";
import { verifyProof } from "./verify-proof.ts";

const key = new Uint8Array(32).fill(1);
const other = "11".repeat(32);
const period = "2026-11-16/2026-11-22";

/** Three agents with five calls, one and none, of which two each are drawn. */
function makeProof(change: { rules?: object; take?: number; skipped?: number } = {}) {
  const rules = { per_agent: 2, monthly_limit: null, ...change.rules };
  const agents = [5, 1, 0].map((count, at) => ({
    id: `agent${at}`,
    calls: Array.from({ length: count }, (_, n) => `call${at}${n}`),
  }));
  const roots = agents.map(({ calls }) => agentRoot(calls));
  const root = frameRoot(roots);
  const seed = drawSeed({ key, rules, period, root, nonce: "works council" });
  const header = {
    format: "hearback.draw/1",
    ...{ draw_id: "d", plan: "Weekly", period, rules, nonce: "works council" },
    ...{ commitment: hex(commitmentTo(key)), key: hex(key), root: hex(root), agents: 3, calls: 6 },
  };
  const lines = agents.map(({ id, calls }, index) => {
    const take = Math.min(calls.length, change.take ?? 2);
    const drawn = drawCalls(seed, calls, take + (change.skipped ?? 0)).map(({ callId }) => callId);
    const skipped = drawn.slice(0, change.skipped ?? 0).map((call_id) => ({ call_id, reason: "erased" }));
    return { agent_id: id, index, root: hex(roots[index] as Uint8Array), calls, take, drawn, skipped };
  });
  return { header, lines, roots };
}

type Proof = ReturnType<typeof makeProof>;

function verify(header: object, lines: readonly object[]) {
  const summary = verifyProof([header, ...lines].map((line) => JSON.stringify(line)).join("\n"));
  for (const { detail } of summary.findings) expect(detail).toMatch(/^\S.+\.$/);
  return summary;
}
/** The problems of a proof whose agent at `index` is changed. */
const problemsWith = ({ header, lines }: Proof, index: number, change: object) =>
  verify(header, (lines as object[]).with(index, { ...lines[index], ...change })).findings.map(({ problem, about }) => [
    problem,
    about,
  ]);

test("a proof of all agents is right, and counted", () => {
  const { header, lines } = makeProof();
  expect(verify(header, lines)).toEqual({
    header,
    ...{ agents: 3, calls: 6, drawn: 3, skipped: 0, withoutCalls: 0, limited: 0, seconds: null, findings: [] },
  });
  expect(verifyProof([header, ...lines].map((line) => `${JSON.stringify(line)}\n \n`).join("")).findings).toEqual([]);
  const skipped = makeProof({ skipped: 1 });
  expect(verify(skipped.header, skipped.lines)).toMatchObject({ findings: [], skipped: 2, drawn: 4 });
});

test("a file that is no proof is refused, and says why", () => {
  const { header, lines } = makeProof();
  const invalid = (...texts: unknown[]) =>
    verifyProof(texts.map((text) => (typeof text === "string" ? text : JSON.stringify(text))).join("\n")).findings;
  expect(invalid("")).toEqual([{ problem: "invalid", about: "file", detail: "The file is empty." }]);
  expect(invalid("{")).toEqual([{ problem: "invalid", about: "line 1", detail: "Line 1 is not JSON." }]);
  expect(invalid("7", lines[0])).toMatchObject([{ problem: "invalid", about: "header" }]);
  const [wrongKey] = invalid({ ...header, key: "short" }, ...lines);
  expect(wrongKey).toMatchObject({ problem: "invalid", about: "key" });
  expect(wrongKey?.detail).toMatch(/not a proof of a draw: must be 64 hexadecimal digits/);
  expect(invalid({ ...header, rules: { per_agent: 0 } }, ...lines)).toMatchObject([{ about: "rules.per_agent" }]);
  const [notAgent, ...more] = invalid(header, ...lines.with(1, { ...lines[1], take: -1 } as Proof["lines"][number]));
  expect(notAgent).toMatchObject({ problem: "invalid", about: "take" });
  expect(notAgent?.detail).toMatch(/^Line 3 is not an agent: ./);
  expect(more).not.toEqual([]);
  expect(invalid(header, "7", ...lines)[0]).toMatchObject({ problem: "invalid", about: "line 2" });
});

test("another key than the committed one is found", () => {
  const { header, lines } = makeProof();
  expect(verify({ ...header, commitment: other }, lines).findings).toMatchObject([
    { problem: "commitment", about: "key" },
  ]);
  // Another key gives other tickets.
  expect(verify({ ...header, key: other }, lines).findings.map(({ problem }) => problem)).toContain("drawn");
});

test("every part of the seed is verified, also rules that this version does not know", () => {
  const proof = makeProof({ rules: { later: { rule: 1 } } });
  expect(verify(proof.header, proof.lines).findings).toEqual([]);
  for (const change of [{ nonce: "" }, { period: "2026-11-23/2026-11-29" }, { rules: { per_agent: 2 } }])
    expect(verify({ ...proof.header, ...change }, proof.lines).findings).toMatchObject([
      { problem: "drawn", about: "agent0" },
    ]);
});

test("agents and calls that are missing, double or in another order are found", () => {
  const proof = makeProof();
  const { header, lines } = proof;
  const problems = (changed: readonly object[]) => verify(header, changed).findings.map(({ problem }) => problem);
  expect(problems(lines.slice(0, 2))).toEqual(["count", "frame_root"]);
  expect(problems(lines.slice(1))).toEqual(["count", "count", "count", "count", "frame_root"]);
  expect(problems(lines.toReversed())).toEqual(["count", "order", "order", "count", "frame_root"]);
  expect(problems([lines[0], lines[0], ...lines.slice(1)] as object[])).toEqual(
    expect.arrayContaining(["order", "count", "frame_root"]),
  );
  expect(problemsWith(proof, 1, { agent_id: "agent0" })).toEqual([["order", "agent0"]]);
  expect(verify({ ...header, agents: 4 }, lines).findings).toMatchObject([{ problem: "count", about: "agents" }]);
  expect(verify({ ...header, calls: 7 }, lines).findings).toMatchObject([{ problem: "count", about: "calls" }]);
  expect(verify({ ...header, root: other }, lines).findings.map(({ problem }) => problem)).toContain("frame_root");
});

test("calls that are missing, double, in another order or of another agent are found", () => {
  const proof = makeProof();
  const calls = proof.lines[0]?.calls ?? [];
  expect(problemsWith(proof, 0, { calls: calls.toReversed() }).map(([problem]) => problem)).toEqual([
    "order",
    "agent_root",
  ]);
  expect(problemsWith(proof, 0, { calls: [...calls.slice(0, 4), calls[3] as string] })).toContainEqual([
    "order",
    "agent0",
  ]);
  expect(problemsWith(proof, 0, { calls: [...calls, "call06"] })).toContainEqual(["agent_root", "agent0"]);
  expect(problemsWith(proof, 1, { calls: [] })).toEqual([
    ["agent_root", "agent1"],
    ["take", "agent1"],
    ["drawn", "agent1"],
    ["count", "calls"],
  ]);
});

test("other calls than those with the smallest tickets are found", () => {
  const proof = makeProof();
  const { calls = [], drawn = [] } = proof.lines[0] ?? {};
  const [spare = ""] = calls.filter((call) => !drawn.includes(call));
  const refused = [["drawn", "agent0"]];
  expect(problemsWith(proof, 0, { drawn: drawn.with(0, spare) })).toEqual(refused);
  expect(problemsWith(proof, 0, { drawn: drawn.toReversed() })).toEqual(refused);
  expect(problemsWith(proof, 0, { drawn: drawn.slice(1) })).toEqual(refused);
  expect(problemsWith(proof, 0, { drawn: [...drawn, spare] })).toEqual(refused);
  expect(problemsWith(proof, 0, { drawn: undefined })).toEqual(refused);
  const [finding] = verify(proof.header, [{ ...proof.lines[0], drawn: [] }, ...proof.lines.slice(1)]).findings;
  expect(finding?.detail).toBe(`The smallest tickets belong to ${drawn.join(", ")}.`);
});

test("calls that are skipped must be drawn, and once", () => {
  const proof = makeProof({ skipped: 1 });
  const { calls = [], drawn = [], skipped = [] } = proof.lines[0] ?? {};
  const [spare = ""] = calls.filter((call) => !drawn.includes(call));
  expect(problemsWith(proof, 0, { skipped: [{ call_id: spare, reason: "erased" }] })).toEqual([["drawn", "agent0"]]);
  const twice = makeProof({ skipped: 2 });
  const [first] = twice.lines[0]?.skipped ?? [];
  if (!first) throw new Error("nothing was skipped");
  expect(problemsWith(twice, 0, { skipped: [first, first] })).toEqual([["drawn", "agent0"]]);
  expect(skipped).toHaveLength(1);
});

test("more or fewer calls than the rules say are found; with a monthly limit, fewer are right", () => {
  const problems = (change: Parameters<typeof makeProof>[0]) => {
    const { header, lines } = makeProof(change);
    const { findings, limited } = verify(header, lines);
    return { problems: findings.map(({ problem, about }) => [problem, about]), limited };
  };
  const take = [["take", "agent0"]];
  expect(problems({ take: 3 })).toEqual({ problems: take, limited: 0 });
  expect(problems({ take: 1 })).toEqual({ problems: take, limited: 1 });
  expect(problems({ rules: { monthly_limit: 1 }, take: 1 })).toEqual({ problems: [], limited: 1 });
  expect(problems({ rules: { monthly_limit: 1 }, take: 2 })).toEqual({ problems: take, limited: 0 });
  expect(problems({ rules: { monthly_limit: 5 }, take: 0 })).toEqual({ problems: [], limited: 2 });
  expect(problems({ rules: { monthly_limit: 5 }, take: 3 })).toEqual({ problems: take, limited: 0 });
});

test("only an erased agent may be without calls, with their root", () => {
  const proof = makeProof();
  const { calls: _, drawn: __, skipped: ___, ...withoutCalls } = proof.lines[0] ?? {};
  const others = proof.lines.slice(1);
  const erased = verify(proof.header, [{ ...withoutCalls, agent_id: null }, ...others]);
  expect(erased).toMatchObject({ findings: [], withoutCalls: 1, agents: 3, calls: 1 });
  expect(verify(proof.header, [withoutCalls, ...others]).findings).toMatchObject([
    { problem: "agent_root", about: "agent0" },
  ]);
  expect(problemsWith(proof, 0, { agent_id: null, root: other })).toEqual([
    ["agent_root", "agent 0"],
    ["frame_root", "root"],
  ]);
});

test("the proof of one agent has a path to the root of the frame", () => {
  const { header, lines, roots } = makeProof();
  for (const [index, line] of lines.entries()) {
    const path = inclusionPath(roots, index).map(hex);
    expect(verify(header, [{ ...line, path }])).toMatchObject({ findings: [], agents: 1 });
    const refused = [{ problem: "frame_root", about: line.agent_id }];
    expect(verify(header, [{ ...line, path: path.with(0, other) }]).findings).toMatchObject(refused);
    expect(verify(header, [{ ...line, path: path.slice(1) }]).findings).toMatchObject(refused);
  }
});

test("an agent without calls may be without drawn and skipped ones", () => {
  const proof = makeProof();
  expect(problemsWith(proof, 2, { drawn: undefined, skipped: undefined })).toEqual([]);
  expect(problemsWith(proof, 0, { skipped: undefined })).toEqual([]);
});

test("a proof lists at most 100 findings", () => {
  const { header } = makeProof();
  expect(verify(header, Array(150).fill(7)).findings).toHaveLength(100);
});

test("the root of an agent's calls can be computed call by call", () => {
  const calls = ["a", "b", "c"];
  const open = openAgentRoot();
  for (const call of calls) open.add(call);
  expect([open.calls, hex(open.root())]).toEqual([3, hex(agentRoot(calls))]);
});
