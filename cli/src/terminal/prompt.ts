import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/** The streams of a prompt. */
export interface PromptStreams {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly signal?: AbortSignal | undefined;
}

/** Whether both streams are terminals. */
export const isInteractive = ({ input, output }: PromptStreams) => input.isTTY === true && output.isTTY === true;

export async function promptText(streams: PromptStreams, question: string): Promise<string> {
  const { input, output } = streams;
  return ask(createInterface({ input, output, terminal: true }), question, streams);
}

/** Prompts for a secret without echo. */
export async function promptSecret(streams: PromptStreams, question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  // Before the prompt is printed: turns the echo off before the user starts typing.
  const lines = createInterface({ input: streams.input, output: nowhere, terminal: true });
  streams.output.write(question);
  const answer = await ask(lines, "", streams);
  streams.output.write("\n");
  return answer;
}

/** Asks a yes/no question. Returns "unasked" if there is no terminal. */
export async function promptYesNo(streams: PromptStreams, question: string): Promise<"yes" | "no" | "unasked"> {
  if (!isInteractive(streams)) return "unasked";
  for (;;) {
    const answer = (await promptText(streams, `${question} [y/N] `)).toLowerCase();
    if (answer === "y" || answer === "yes") return "yes";
    if (answer === "n" || answer === "no" || answer === "") return "no";
    streams.output.write("Please answer y or n.\n");
  }
}

type Lines = ReturnType<typeof createInterface>;

async function ask(lines: Lines, question: string, { signal, output }: PromptStreams): Promise<string> {
  // In raw mode, readline receives Ctrl-C and Ctrl-D instead of the process. Both cancel the prompt.
  const stopped = new AbortController();
  const stop = () => stopped.abort(new Error("The prompt was cancelled."));
  lines.once("SIGINT", stop).once("close", stop);
  try {
    const until = signal ? AbortSignal.any([signal, stopped.signal]) : stopped.signal;
    return (await lines.question(question, { signal: until })).trim();
  } catch (error) {
    output.write("\n");
    throw new PromptCancelled({ cause: error });
  } finally {
    lines.close();
  }
}

/** The user pressed Ctrl-C or Ctrl-D at a prompt. */
export class PromptCancelled extends Error {
  override name = "Unanswered";
  constructor(options?: ErrorOptions) {
    super("The prompt was cancelled.", options);
  }
}
