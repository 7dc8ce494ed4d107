import { bytesToHex as hex } from "@noble/hashes/utils.js";
import { expect, test } from "vitest";
import { agentRoot, frameRoot } from "./frame.ts";
import { countSeconds, secondSeed } from "./second-reviews.ts";
import { commitmentTo, drawCalls, drawSeed, openTickets } from "./tickets.ts";
import { verifyProof } from "./verify-proof.ts";

/**
 * Two agents with ten calls each, of which six and `spare` ones are drawn. `percent` of the six, or those up to place `last`, and the
 * spare ones whose tickets are not larger, get a second review.
 */
function makeProof({ percent = 20, isPublished = true, spare = 0, last = countSeconds(12, percent) - 1 } = {}) {
  const [key, secondKey] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  const rules = { per_agent: 6, monthly_limit: null };
  const period = "2026-11-16/2026-11-22";
  const agents = ["a", "b"].map((id) => ({ id, calls: Array.from({ length: 10 }, (_, n) => `${id}${n}`) }));
  const roots = agents.map(({ calls }) => agentRoot(calls));
  const seed = drawSeed({ key, rules, period, root: frameRoot(roots), nonce: "" });
  const ticketOf = openTickets(secondSeed(secondKey, seed));
  const drawn = agents.map(({ calls }) => drawCalls(seed, calls, 6 + spare).map(({ callId }) => callId));
  const tickets = drawn.flatMap((calls) => calls.slice(0, 6).map((call) => hex(ticketOf(call))));
  const limit = tickets.sort()[last] ?? null;
  const header = {
    format: "hearback.draw/1",
    ...{ draw_id: "d", plan: "Weekly", period, rules, nonce: "" },
    ...{ commitment: hex(commitmentTo(key)), key: hex(key), root: hex(frameRoot(roots)), agents: 2, calls: 20 },
    second: {
      percent,
      commitment: hex(commitmentTo(secondKey)),
      key: isPublished ? hex(secondKey) : null,
      limit: isPublished ? limit : null,
    },
  };
  const lines = agents.map(({ id, calls }, index) => ({
    ...{ agent_id: id, index, root: hex(roots[index] as Uint8Array), calls, take: 6 },
    skipped: (drawn[index] ?? []).slice(0, spare).map((call_id) => ({ call_id, reason: "erased" })),
    drawn: drawn[index] ?? [],
    second: (drawn[index] ?? []).filter((call) => limit !== null && hex(ticketOf(call)) <= limit).sort(),
  }));
  const shown: readonly (Omit<(typeof lines)[number], "second"> & { readonly second?: readonly string[] })[] =
    isPublished ? lines : lines.map(({ second: _, ...line }) => line);
  return { header, lines: shown };
}

const verify = ({ header, lines }: { readonly header: object; readonly lines: readonly object[] }) => {
  const { findings, seconds } = verifyProof([header, ...lines].map((line) => JSON.stringify(line)).join("\n"));
  for (const { detail } of findings) expect(detail).toMatch(/^\S.+\.$/);
  return { problems: [...new Set(findings.map(({ problem }) => problem))], seconds };
};

test("the calls with the smallest tickets of the second key get a second review", () => {
  for (const percent of [0, 1, 5, 20])
    expect(verify(makeProof({ percent }))).toEqual({ problems: [], seconds: countSeconds(12, percent) });
});

test("before the second key is published, a proof has its commitment only", () => {
  const proof = makeProof({ isPublished: false });
  expect(verify(proof)).toEqual({ problems: [], seconds: null });
  const lines = proof.lines.map((line) => ({ ...line, second: [line.drawn[0]] }));
  expect(verify({ ...proof, lines }).problems).toEqual(["second"]);
});

test("another second key, another call, another limit and another share are refused", () => {
  const { header, lines } = makeProof();
  const withSecond = (change: object) =>
    verify({ header: { ...header, second: { ...header.second, ...change } }, lines });
  expect(withSecond({ key: "11".repeat(32) }).problems).toContain("commitment");
  expect(withSecond({ commitment: "11".repeat(32) }).problems).toContain("commitment");
  expect(withSecond({ limit: "ff".repeat(32) }).problems).toContain("second");
  expect(withSecond({ limit: null }).problems).toContain("second");
  expect(withSecond({ percent: 10 }).problems).toEqual(["second"]);
  const others = lines.map((line) => ({ ...line, second: line.drawn.slice(0, 1) }));
  expect(verify({ header, lines: others }).problems).toContain("second");
});

test("the share is rounded half up", () => {
  expect([countSeconds(9, 20), countSeconds(10, 5), countSeconds(9, 5), countSeconds(0, 20)]).toEqual([2, 1, 0, 0]);
});

test("fewer second reviews than the share, and a limit that is no ticket, are refused", () => {
  const { header, lines } = makeProof();
  expect(verify(makeProof({ last: 0 })).problems).toEqual(["second"]);
  const above = (BigInt(`0x${header.second.limit}`) + 1n).toString(16).padStart(64, "0");
  expect(verify({ header: { ...header, second: { ...header.second, limit: above } }, lines }).problems).toEqual([
    "second",
  ]);
  expect(verify(makeProof({ percent: 0, last: 0 })).problems).toEqual(["second"]);
});

test("the seconds of an erased agent are not known, so fewer are right", () => {
  const { header, lines } = makeProof({ percent: 100 });
  const [erased, ...others] = lines;
  if (!erased) throw new Error("no agent");
  const { index, root, take } = erased;
  expect(verify({ header, lines: [{ agent_id: null, index, root, take }, ...others] })).toEqual({
    problems: [],
    seconds: 6,
  });
});

test("a call that is drawn in the place of a skipped one gets a second review if its ticket is not above the limit", () => {
  const [without, proof] = [makeProof(), makeProof({ spare: 3 })];
  const seconds = proof.lines.flatMap(({ second = [] }) => second);
  const ofReplacements = proof.lines.flatMap(({ drawn, second = [] }) =>
    drawn.slice(6).filter((id) => second.includes(id)),
  );
  expect(ofReplacements).not.toEqual([]);
  expect(proof.header.second.limit).toBe(without.header.second.limit);
  expect(seconds).toHaveLength(countSeconds(12, 20) + ofReplacements.length);
  expect(verify(proof)).toEqual({ problems: [], seconds: seconds.length });
  for (const id of ofReplacements) {
    const lines = proof.lines.map((line) => ({ ...line, second: line.second?.filter((call) => call !== id) }));
    expect(verify({ ...proof, lines }).problems).toEqual(["second"]);
  }
  const all = proof.lines.map((line) => ({ ...line, second: line.drawn.toSorted() }));
  expect(verify({ ...proof, lines: all }).problems).toEqual(["second"]);
});

test("replacements with a second review do not make up for candidates without one", () => {
  const { header, lines } = makeProof({ spare: 3, last: 1 });
  expect(verify({ header: { ...header, second: { ...header.second, percent: 40 } }, lines }).problems).toEqual([
    "second",
  ]);
});
