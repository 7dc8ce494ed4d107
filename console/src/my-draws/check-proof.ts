import { type ProofProblem, verifyProof } from "@hearback/draws/verify-proof";
import type { DrawBody } from "@hearback/sdk";

export const checkSteps = ["key", "calls", "frame", "tickets"] as const;
export type CheckStep = (typeof checkSteps)[number];

export type StepProblem = ProofProblem | "noted" | "published";

export interface StepResult {
  readonly step: CheckStep;
  /** null: could not be checked, because the calls are not kept any longer. */
  readonly isCorrect: boolean | null;
  readonly problems: readonly StepProblem[];
}

export interface CheckResult {
  readonly isCorrect: boolean;
  readonly steps: readonly StepResult[];
  /** Of the agent. */
  readonly calls: number;
  /** With skipped ones. */
  readonly drawn: number;
  /** How many calls the rules ask for. */
  readonly perAgent: number;
  /** Fewer calls were drawn than the rules say, because of the monthly limit. */
  readonly isLimited: boolean;
}

const stepOf: Readonly<Record<StepProblem, CheckStep>> = {
  invalid: "key",
  commitment: "key",
  noted: "key",
  published: "key",
  agent_root: "calls",
  order: "calls",
  count: "frame",
  frame_root: "frame",
  drawn: "tickets",
  take: "tickets",
  second: "tickets",
};

type Published = Pick<DrawBody, "commitment" | "second_commitment" | "root" | "key" | "nonce" | "mine">;

/**
 * Recomputes an agent's part of a draw from the proof, and compares it with what the service shows and with the commitment that
 * the agent noted down.
 */
export function checkProof(proof: string, published: Published, noted: string): CheckResult {
  const { header, findings, calls, drawn, withoutCalls, limited } = verifyProof(proof);
  const problems = new Set<StepProblem>(findings.map(({ problem }) => problem));
  const ownNote = noted.replace(/\s/g, "").toLowerCase();
  if (header && ownNote !== "" && ownNote !== header.commitment) problems.add("noted");
  if (header?.second && header.second.commitment !== published.second_commitment) problems.add("published");
  if (header && (["commitment", "root", "key", "nonce"] as const).some((name) => header[name] !== published[name]))
    problems.add("published");
  if (published.mine && calls > 0 && published.mine.calls !== calls) problems.add("published");
  const isUnreadable = problems.has("invalid");
  const steps = checkSteps.map((step): StepResult => {
    const own = [...problems].filter((problem) => stepOf[problem] === step);
    const isUnknown = (withoutCalls > 0 || isUnreadable) && step !== "key" && own.length === 0;
    return {
      step,
      isCorrect: isUnknown && (isUnreadable || step !== "frame") ? null : own.length === 0,
      problems: own,
    };
  });
  return {
    isCorrect: steps.every(({ isCorrect }) => isCorrect === true),
    steps,
    calls,
    drawn,
    perAgent: header?.rules.per_agent ?? 0,
    isLimited: limited > 0,
  };
}
