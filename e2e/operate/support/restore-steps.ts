import type { Stack } from "../../support/stack/stack.ts";
import { readCodeBlocks, withReplacements } from "./document.ts";
import type { BackedUpCluster } from "./pgbackrest.ts";

/** Services that the document starts and stops with systemctl. */
export type Units = Readonly<Record<"start" | "stop", (unit: string) => Promise<void>>>;

/** Runs `hearback-server …` with these arguments. */
type RunCommand = (...args: string[]) => Promise<unknown>;

/** A command of the document that was run. */
interface RanLine {
  readonly line: string;
  readonly output: unknown;
  readonly seconds: number;
}

/** The numbered steps of the section "Restore". */
export interface RestoreSteps {
  /** Runs the commands of a step. */
  run(step: number, replacements?: Readonly<Record<string, string>>, command?: RunCommand): Promise<RanLine[]>;
  /** Steps that have commands and were not run. */
  left(): number[];
}

/** Exit code 1: `verify` found damage, which is its result. */
const isResult = (error: unknown): error is { code: number; stdout: string } =>
  error instanceof Error && "code" in error && error.code === 1 && "stdout" in error && error.stdout !== "";

export async function readRestoreSteps(
  { shell }: BackedUpCluster,
  stack: Pick<Stack, "command">,
  units: Units,
): Promise<RestoreSteps> {
  const blocks = await readCodeBlocks("backup-and-upgrade.md", "## Restore");
  const done = new Set<number>();

  async function runLine(line: string, command: RunCommand): Promise<unknown> {
    const [program = "", ...args] = (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ""));
    if (program === "hearback-server") {
      const json = args[0] === "migrate" ? [] : ["--json"];
      return command(...args, ...json).catch((error) => {
        if (args[0] !== "verify" || !isResult(error)) throw error;
        return JSON.parse(error.stdout);
      });
    }
    if (program !== "systemctl") return shell(line);
    const [action, ...names] = args;
    if (action !== "start" && action !== "stop") throw new Error(`unknown command: ${line}`);
    await Promise.all(names.map(units[action]));
    return undefined;
  }

  return {
    async run(step, replacements = {}, command = stack.command) {
      const lines = blocks.filter((block) => block.step === step).flatMap((block) => block.lines);
      if (lines.length === 0) throw new Error(`step ${step} of the document has no commands`);
      const ran: RanLine[] = [];
      for (const line of lines) {
        const began = performance.now();
        const output = await runLine(withReplacements(line, replacements), command);
        ran.push({ line, output, seconds: (performance.now() - began) / 1000 });
      }
      done.add(step);
      return ran;
    },
    left: () => [...new Set(blocks.flatMap(({ step }) => step ?? []))].filter((step) => !done.has(step)),
  };
}
