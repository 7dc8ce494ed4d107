import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { agentRoot } from "./frame.ts";
import { openMerkleTree, rootOfPath } from "./merkle-tree.ts";
import { ProofAgent, ProofHeader } from "./proof.ts";
import { countSeconds, secondSeed } from "./second-reviews.ts";
import { commitmentTo, drawCalls, drawSeed, openTickets } from "./tickets.ts";

export const proofProblems = [
  /** The text is not a proof. */
  "invalid",
  /** The key is not the one that the service committed to. */
  "commitment",
  /** The calls of an agent do not give the agent's root. */
  "agent_root",
  /** Calls of an agent are not in ascending order, or appear twice. */
  "order",
  /** The agents do not give the root of the frame. */
  "frame_root",
  /** Agents or calls are missing, or there are too many. */
  "count",
  /** Other calls have smaller tickets than the drawn ones. */
  "drawn",
  /** More or fewer calls were drawn than the rules say. */
  "take",
  /** Other calls get a second review than the tickets say. */
  "second",
] as const;
export type ProofProblem = (typeof proofProblems)[number];

export interface ProofFinding {
  readonly problem: ProofProblem;
  /** Agent id or member of the header. */
  readonly about: string;
  readonly detail: string;
}

export interface ProofSummary {
  readonly header: ProofHeader | undefined;
  /** Agents and calls whose tickets were computed. */
  readonly agents: number;
  readonly calls: number;
  readonly drawn: number;
  readonly skipped: number;
  /** Erased agents, without calls in the file. Their roots were checked. */
  readonly withoutCalls: number;
  /** Agents for whom fewer calls were drawn than `per_agent`, although they had more, as the monthly limit permits. */
  readonly limited: number;
  /** Calls with a second review. null: the second key is not published. */
  readonly seconds: number | null;
  readonly findings: readonly ProofFinding[];
}

const maxFindings = 100;

/** Verifies a proof line by line, in memory that does not grow with the file. Accepts the proof of all agents or of one. */
export function openProofVerifier() {
  const findings: ProofFinding[] = [];
  const counts = { agents: 0, calls: 0, drawn: 0, skipped: 0, withoutCalls: 0, limited: 0 };
  let header: ProofHeader | undefined;
  let seed: Uint8Array | undefined;
  let seconds: ReturnType<typeof openSecondsVerifier> | undefined;
  let lines = 0;
  let previousAgent = "";
  const roots = openMerkleTree();
  /** Whether the file has one agent, with a path to the root. */
  let isSingle = false;

  function report(problem: ProofProblem, about: string, detail: string): void {
    if (findings.length < maxFindings) findings.push({ problem, about, detail });
  }

  function readHeader(value: unknown): void {
    const parsed = ProofHeader.safeParse(value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      report("invalid", issue?.path.join(".") || "header", `This is not a proof of a draw: ${issue?.message}.`);
      return;
    }
    // The rules are hashed as they were read: the parsed copy could lose members.
    header = { ...parsed.data, rules: (value as { rules: ProofHeader["rules"] }).rules };
    const { key, commitment, rules, period, root, nonce } = header;
    const keyBytes = hexToBytes(key);
    if (bytesToHex(commitmentTo(keyBytes)) !== commitment)
      report("commitment", "key", "The key does not have the SHA-256 that was published before the period.");
    seed = drawSeed({ key: keyBytes, rules, period, root: hexToBytes(root), nonce });
    seconds = openSecondsVerifier(header, seed, report);
  }

  function readAgent(value: unknown, header: ProofHeader, seed: Uint8Array): void {
    const parsed = ProofAgent.safeParse(value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      report("invalid", issue?.path.join(".") || `line ${lines}`, `Line ${lines} is not an agent: ${issue?.message}.`);
      return;
    }
    const agent = parsed.data;
    const about = agent.agent_id ?? `agent ${agent.index}`;
    counts.agents++;
    if (agent.agent_id !== null) {
      if (agent.agent_id <= previousAgent) report("order", about, "Agents must be in ascending order, each once.");
      previousAgent = agent.agent_id;
    }
    checkPlace(agent, header, about);
    if (agent.calls) checkDraw(agent, agent.calls, { header, seed, about });
    else counts.withoutCalls++;
    seconds?.agent(agent, about);
    if (!agent.calls && agent.agent_id !== null)
      report("agent_root", about, "The calls of this agent are missing. Only those of erased agents may be.");
  }

  function checkPlace({ root, index, path }: ProofAgent, { agents, root: frame }: ProofHeader, about: string): void {
    const rootBytes = hexToBytes(root);
    if (path) {
      isSingle = true;
      const reached = rootOfPath(rootBytes, { index, size: agents, path: path.map(hexToBytes) });
      if (!reached || bytesToHex(reached) !== frame)
        report("frame_root", about, "The path does not lead to the root of the frame.");
      return;
    }
    if (index !== roots.size) report("count", about, `Agent number ${roots.size} is missing.`);
    roots.add(rootBytes);
  }

  function checkDraw(
    { root, take, drawn = [], skipped = [] }: ProofAgent,
    calls: readonly string[],
    { header, seed, about }: { readonly header: ProofHeader; readonly seed: Uint8Array; readonly about: string },
  ): void {
    counts.calls += calls.length;
    counts.drawn += drawn.length;
    counts.skipped += skipped.length;
    if (calls.some((id, index) => index > 0 && id <= (calls[index - 1] as string)))
      report("order", about, "Call ids must be in ascending order, each once.");
    if (bytesToHex(agentRoot(calls)) !== root)
      report("agent_root", about, "These are not the calls whose root was published.");
    const { per_agent: perAgent, monthly_limit: limit } = header.rules;
    const wanted = Math.min(perAgent, calls.length);
    const most = Math.min(wanted, limit ?? wanted);
    // With a monthly limit, fewer can be right: calls of other plans count, too.
    const least = typeof limit === "number" ? 0 : wanted;
    if (take > most || take < least)
      report("take", about, `${take} calls were to be drawn, but the rules say ${most}.`);
    if (take < wanted) counts.limited++;
    const expected = drawCalls(seed, calls, take + skipped.length).map(({ callId }) => callId);
    const skippedIds = new Set(skipped.map(({ call_id }) => call_id));
    if (skippedIds.size < skipped.length || [...skippedIds].some((id) => !drawn.includes(id)))
      report("drawn", about, "A call was skipped twice, or without being drawn.");
    if (expected.length !== drawn.length || expected.some((id, index) => id !== drawn[index]))
      report("drawn", about, `The smallest tickets belong to ${expected.join(", ") || "no call"}.`);
  }

  return {
    /** Adds the next line. Blank lines are ignored. */
    line(text: string): void {
      if (text.trim() === "") return;
      lines++;
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        report("invalid", `line ${lines}`, `Line ${lines} is not JSON.`);
        return;
      }
      if (lines === 1) readHeader(value);
      else if (header && seed) readAgent(value, header, seed);
    },
    end(): ProofSummary {
      if (lines === 0) report("invalid", "file", "The file is empty.");
      if (header && !isSingle) {
        if (counts.agents !== header.agents)
          report("count", "agents", `The frame has ${header.agents} agents; the file has ${counts.agents}.`);
        if (counts.withoutCalls === 0 && counts.calls !== header.calls)
          report("count", "calls", `The frame has ${header.calls} calls; the file has ${counts.calls}.`);
        if (bytesToHex(roots.root()) !== header.root)
          report("frame_root", "root", "The agents do not give the root of the frame.");
        seconds?.end({ isComplete: counts.withoutCalls === 0 });
      }
      return { header, ...counts, seconds: seconds?.count() ?? null, findings };
    },
  };
}

type Report = (problem: ProofProblem, about: string, detail: string) => void;

/**
 * Verifies which drawn calls get a second review: those whose ticket is not above the limit. It is the largest of the share of the first
 * `take` calls of each agent; calls that replace skipped ones come after these.
 */
function openSecondsVerifier({ second }: ProofHeader, seed: Uint8Array, report: Report) {
  const key = second?.key ?? null;
  const limit = second?.limit ?? null;
  if (second && key !== null && bytesToHex(commitmentTo(hexToBytes(key))) !== second.commitment)
    report(
      "commitment",
      "second.key",
      "The second key does not have the SHA-256 that was published before the period.",
    );
  const ticketOf = key === null ? undefined : openTickets(secondSeed(hexToBytes(key), seed));
  let candidates = 0;
  let chosenCandidates = 0;
  let found = 0;
  let isLimitFound = false;
  const isChosen = (call: string): boolean => {
    const ticket = ticketOf && bytesToHex(ticketOf(call));
    return ticket !== undefined && limit !== null && ticket <= limit;
  };
  return {
    agent({ take, drawn: calls = [], second: listed = [] }: ProofAgent, about: string): void {
      candidates += take;
      found += listed.length;
      const chosen = calls.filter(isChosen);
      const ofCandidates = calls.slice(0, take).filter(isChosen);
      chosenCandidates += ofCandidates.length;
      isLimitFound ||= ofCandidates.some((call) => ticketOf && bytesToHex(ticketOf(call)) === limit);
      if (chosen.sort().join() !== listed.join())
        report("second", about, `Second reviews are to be those of ${chosen.join(", ") || "no call"}.`);
    },
    end({ isComplete }: { readonly isComplete: boolean }): void {
      if (!second || key === null) return;
      const most = countSeconds(candidates, second.percent);
      // The calls of erased agents are unknown.
      if (chosenCandidates > most || (isComplete && (chosenCandidates < most || isLimitFound !== most > 0)))
        report(
          "second",
          "second",
          `${chosenCandidates} calls get a second review; the share of ${candidates} drawn calls is ${most}.`,
        );
    },
    count: () => (key === null ? null : found),
  };
}

/** Verifies a proof that is in memory. */
export function verifyProof(text: string): ProofSummary {
  const verifier = openProofVerifier();
  for (const line of text.split("\n")) verifier.line(line);
  return verifier.end();
}
