import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { rulesDigest } from "@hearback/draws/rules";
import { openProofVerifier, type ProofSummary } from "@hearback/draws/verify-proof";
import type { Command } from "commander";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { marks, type Style } from "../../terminal/style.ts";
import { pluralize } from "../../terminal/units.ts";
import { type Context, globalOptions } from "../context.ts";

/** Findings of one file that are printed. */
const mostFindings = 10;

/** Verifies proofs, line by line. A file that is no proof, or a wrong one, sets the exit code. */
export async function verifyDraws(context: Context, command: Command, files: readonly string[]): Promise<void> {
  const { json } = globalOptions(command);
  for (const file of files) {
    const summary = await verifyFile(file, context.signal);
    const ok = summary.findings.length === 0;
    if (!ok) context.setExitCode(exitCodes.someFailed);
    if (json) context.print(JSON.stringify({ file, ok, ...summary }));
    else for (const line of describe(file, summary, context.style)) context.print(line);
  }
}

async function verifyFile(file: string, signal: AbortSignal): Promise<ProofSummary> {
  const verifier = openProofVerifier();
  const lines = createInterface({ input: createReadStream(file, { encoding: "utf8", signal }), crlfDelay: Infinity });
  for await (const line of lines) verifier.line(line);
  return verifier.end();
}

function describe(file: string, summary: ProofSummary, style: Style): string[] {
  const { header, agents, calls, drawn, skipped, withoutCalls, limited, seconds, findings } = summary;
  const { good, bad } = marks(style);
  if (findings.length > 0) {
    const left = findings.length - mostFindings;
    return [
      `${bad} ${file}: NOT correct`,
      ...findings.slice(0, mostFindings).map(({ about, detail }) => `  ${about}: ${detail}`),
      ...(left > 0 ? [`  and ${left} more`] : []),
    ];
  }
  const part = header && agents < header.agents ? ` of ${header.agents}` : "";
  return [
    `${good} ${file}: correct`,
    `  ${header?.plan}, ${header?.period.replace("/", " to ")}`,
    `  The key is the one that was committed to: ${header?.commitment}`,
    `  SHA-256 of the rules: ${Buffer.from(rulesDigest(header?.rules)).toString("hex")}`,
    `  ${pluralize(calls, "call")} of ${agents}${part} ${agents === 1 && !part ? "agent" : "agents"} could be drawn; ${drawn} had the smallest tickets, ${skipped} of them were skipped.`,
    ...(seconds === null
      ? []
      : [`  ${seconds} of the drawn calls got a second review, as the tickets of the second key say.`]),
    ...(limited > 0 ? [`  ${pluralize(limited, "agent")} reached the monthly limit.`] : []),
    ...(withoutCalls > 0
      ? [`  ${pluralize(withoutCalls, "agent")} without calls in the file (erased); their roots were checked.`]
      : []),
  ];
}
