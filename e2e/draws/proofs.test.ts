import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { agentRoot, frameRoot } from "@hearback/draws/frame";
import { inclusionPath } from "@hearback/draws/merkle-tree";
import { countSeconds, secondSeed } from "@hearback/draws/second-reviews";
import { commitmentTo, drawCalls, drawSeed, openTickets } from "@hearback/draws/tickets";
import { verifyProof } from "@hearback/draws/verify-proof";
import { afterAll, beforeAll, expect, test } from "vitest";
import { random, scale, seed } from "../support/run-scale.ts";
import { runCommand } from "../support/stack/command.ts";
import { say } from "../support/waiting.ts";

/*
 * Random draws, verified by the library that server, console and CLI use, by the CLI, and by the Python script of the
 * documentation, which shares no code with them. One altered bit must be refused by all three.
 */
const draws = scale(100, 300, 10_000);
const batch = 500;
const python = new URL("../../docs/verify-draw.py", import.meta.url).pathname;
const chance = random();
const upTo = (most: number) => Math.floor(chance() * (most + 1));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearback-proofs-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const uuids = (count: number) =>
  Array.from({ length: count }, () => hex(randomBytes(16)).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")).sort();

/** A draw of up to eight agents with up to 40 calls each, some of them skipped, some with a second review; its proof
 * for all agents or for one. */
function randomProof(): string {
  const key = randomBytes(32);
  const rules = {
    scorecard_id: uuids(1)[0],
    campaign_ids: ["support-fr", "ventes-é"].slice(0, upTo(2)),
    metadata: upTo(1) ? [{ key: "Kunde", value: "größer “ß” 🎧" }] : [],
    per_agent: 1 + upTo(4),
    period: "week",
    time_zone: "Europe/Paris",
    monthly_limit: upTo(1) ? 1 + upTo(9) : null,
  };
  const period = "2026-11-16/2026-11-22";
  const nonce = ["", "4 8 15 16 23 42", "Größe 🎲"][upTo(2)] ?? "";
  const agents = uuids(1 + upTo(7)).map((id) => ({ id, calls: uuids(1 + upTo(39)) }));
  const roots = agents.map(({ calls }) => agentRoot(calls));
  const root = frameRoot(roots);
  const drawn = drawSeed({ key, rules, period, root, nonce });
  const lines = agents.map(({ id, calls }, index) => {
    const most = Math.min(rules.per_agent, calls.length);
    const take = rules.monthly_limit === null ? most : upTo(Math.min(most, rules.monthly_limit));
    const winners = drawCalls(drawn, calls, take + upTo(2)).map(({ callId }) => callId);
    const skipped = winners.slice(0, winners.length - take).map((call_id) => ({ call_id, reason: "inaudible" }));
    return { agent_id: id, index, root: hex(roots[index] as Uint8Array), calls, take, drawn: winners, skipped };
  });
  const second = upTo(2) > 0 ? addSeconds(lines, drawn) : undefined;
  const only = upTo(2) === 0 ? upTo(lines.length - 1) : undefined;
  const header = {
    format: "hearback.draw/1",
    draw_id: uuids(1)[0],
    plan: "Weekly",
    period,
    rules,
    commitment: hex(commitmentTo(key)),
    key: hex(key),
    nonce,
    root: hex(root),
    agents: lines.length,
    calls: lines.reduce((sum, { calls }) => sum + calls.length, 0),
    ...(second && { second }),
  };
  const shown = only === undefined ? lines : [{ ...lines[only], path: inclusionPath(roots, only).map(hex) }];
  return [header, ...shown].map((line) => `${JSON.stringify(line)}\n`).join("");
}

interface AgentLine {
  readonly take: number;
  readonly drawn: readonly string[];
  second?: string[];
}

/** Adds second reviews to the agents of a proof, or not yet. Returns what the header says about them. */
function addSeconds(lines: readonly AgentLine[], seed: Uint8Array) {
  const key = randomBytes(32);
  const percent = upTo(20);
  const commitment = hex(commitmentTo(key));
  if (upTo(3) === 0) return { percent, commitment, key: null, limit: null };
  const ticketOf = openTickets(secondSeed(key, seed));
  const candidates = lines.flatMap(({ take, drawn }) => drawn.slice(0, take));
  const tickets = candidates.map((call) => hex(ticketOf(call)));
  const limit = tickets.sort()[countSeconds(candidates.length, percent) - 1] ?? null;
  // Also of calls that replace skipped ones.
  for (const line of lines) line.second = line.drawn.filter((call) => limit && hex(ticketOf(call)) <= limit).sort();
  return { percent, commitment, key: hex(key), limit };
}

/** The proof with one bit flipped in the key, the frame or what was drawn, or with something left out or added. */
function alter(proof: string): string {
  const [head = "", ...agents] = proof.trimEnd().split("\n");
  const header = JSON.parse(head);
  const index = upTo(agents.length - 1);
  const agent = JSON.parse(agents[index] ?? "");
  const call = upTo(agent.calls.length - 1);
  const flip = (text: string) => {
    const places = [...text.matchAll(/[0-9a-f]/g)].map(({ index }) => index);
    const at = places[upTo(places.length - 1)] ?? 0;
    const digit = (Number.parseInt(text[at] ?? "0", 16) ^ (1 << upTo(3))).toString(16);
    return `${text.slice(0, at)}${digit}${text.slice(at + 1)}`;
  };
  const flipKey = () => {
    header.key = flip(header.key);
  };
  const changes = [
    () => (header.key = flip(header.key)),
    () => (header.root = flip(header.root)),
    () => (agent.calls[call] = flip(agent.calls[call])),
    () => (agent.root = flip(agent.root)),
    // A second review of a call that was not drawn, or before the second key is published.
    () => {
      if (header.second) agent.second = [...(agent.second ?? []), "another call"];
      else flipKey();
    },
    () => {
      const member = upTo(1) ? "key" : "commitment";
      if (header.second?.key) header.second[member] = flip(header.second[member]);
      else flipKey();
    },
    () => (agent.drawn = agent.drawn.length > 0 ? agent.drawn.with(0, flip(agent.drawn[0])) : [agent.calls[call]]),
    () => (agent.calls = agent.calls.toSpliced(call, 1)),
    () => (agent.take = header.rules.per_agent + 1),
    () => (agent.index += 1),
    () => (agent.skipped = [...agent.skipped, agent.skipped[0] ?? { call_id: "another call", reason: "other" }]),
    () => {
      delete agent.calls;
      delete agent.drawn;
    },
    // Fewer calls than the rules say, without a monthly limit that permits it.
    () => {
      if (header.rules.monthly_limit === null) agent.take -= 1;
      agent.drawn = agent.drawn.length > 0 ? agent.drawn.slice(0, -1) : [agent.calls[call]];
    },
  ];
  changes[upTo(changes.length - 1)]?.();
  return [header, ...agents.map((line, at) => (at === index ? agent : JSON.parse(line)))]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
}

/** Files for which a checker says "correct". */
async function acceptedByPython(files: readonly string[]): Promise<number> {
  const { stdout } = await promisify(execFile)("python3", [python, ...files], { maxBuffer: 2 ** 27 }).catch(
    (error: { stdout: string }) => error,
  );
  // Below a correct one are its commitment and rules, indented.
  const lines = stdout.split("\n").filter((line) => /^\S/.test(line));
  expect(lines).toHaveLength(files.length);
  return lines.filter((line) => line.includes(": correct, ")).length;
}
async function acceptedByCli(files: readonly string[]): Promise<number> {
  const { stdout } = await runCommand(
    { baseUrl: "http://127.0.0.1:1", apiKey: "" },
    "draws",
    "verify",
    "--json",
    ...files,
  );
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(files.length);
  return lines.filter((line) => JSON.parse(line).ok === true).length;
}

test(`${draws} random draws: all three checkers accept the proof and refuse an altered one`, {
  timeout: 3_600_000,
}, async () => {
  say(`seed ${seed}`);
  for (let from = 0; from < draws; from += batch) {
    const proofs = Array.from({ length: Math.min(batch, draws - from) }, randomProof);
    const altered = proofs.map(alter);
    for (const [name, texts] of Object.entries({ good: proofs, altered })) {
      const files = await Promise.all(
        texts.map(async (text, index) => {
          const file = join(folder, `${name}-${index}.jsonl`);
          await writeFile(file, text);
          return file;
        }),
      );
      const expected = name === "good" ? texts.length : 0;
      expect(texts.filter((text) => verifyProof(text).findings.length === 0)).toHaveLength(expected);
      expect(await acceptedByPython(files), `${name} proofs that Python accepts`).toBe(expected);
      expect(await acceptedByCli(files), `${name} proofs that the CLI accepts`).toBe(expected);
    }
  }
});

test("winners are distributed uniformly", () => {
  const calls = uuids(20);
  const wins = new Map(calls.map((id) => [id, 0]));
  for (let n = 0; n < 10_000; n++) {
    const drawn = createHash("sha256").update(`${seed} ${n}`).digest();
    for (const { callId } of drawCalls(drawn, calls, 1)) wins.set(callId, (wins.get(callId) ?? 0) + 1);
  }
  const expected = 10_000 / calls.length;
  const chiSquare = [...wins.values()].reduce((sum, won) => sum + (won - expected) ** 2 / expected, 0);
  say(`seed ${seed}: χ² ${chiSquare.toFixed(1)} with 19 degrees of freedom`);
  // 43.82: the 0.999 quantile.
  expect(chiSquare).toBeLessThan(43.82);
});
