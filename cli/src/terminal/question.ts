import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/** Where questions are asked and answered. */
export interface Dialogue {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly signal?: AbortSignal | undefined;
}

/** Whether there is a person at the other end. */
export const canAsk = ({ input, output }: Dialogue) => input.isTTY === true && output.isTTY === true;

export async function askText(dialogue: Dialogue, question: string): Promise<string> {
  const { input, output } = dialogue;
  return ask(createInterface({ input, output, terminal: true }), question, dialogue);
}

/** Asks for something that nobody should read over a shoulder or in the terminal's history. */
export async function askSecret(dialogue: Dialogue, question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  // Before the question: it stops the terminal from showing what is typed, and somebody types at once.
  const lines = createInterface({ input: dialogue.input, output: nowhere, terminal: true });
  dialogue.output.write(question);
  const answer = await ask(lines, "", dialogue);
  dialogue.output.write("\n");
  return answer;
}

/** A question of yes or no. Where nobody can answer, it is not asked: "unasked". */
export async function askYesNo(dialogue: Dialogue, question: string): Promise<"yes" | "no" | "unasked"> {
  if (!canAsk(dialogue)) return "unasked";
  for (;;) {
    const answer = (await askText(dialogue, `${question} [y/N] `)).toLowerCase();
    if (answer === "y" || answer === "yes") return "yes";
    if (answer === "n" || answer === "no" || answer === "") return "no";
    dialogue.output.write("Please answer y or n.\n");
  }
}

type Lines = ReturnType<typeof createInterface>;

async function ask(lines: Lines, question: string, { signal, output }: Dialogue): Promise<string> {
  // The terminal gives Ctrl-C and Ctrl-D to readline, not to the process: both mean that no answer comes.
  const stopped = new AbortController();
  const stop = () => stopped.abort(new Error("No answer was given."));
  lines.once("SIGINT", stop).once("close", stop);
  try {
    const until = signal ? AbortSignal.any([signal, stopped.signal]) : stopped.signal;
    return (await lines.question(question, { signal: until })).trim();
  } catch (error) {
    output.write("\n");
    throw new Unanswered({ cause: error });
  } finally {
    lines.close();
  }
}

/** Ctrl-C or Ctrl-D instead of an answer. */
export class Unanswered extends Error {
  override name = "Unanswered";
  constructor(options?: ErrorOptions) {
    super("No answer was given.", options);
  }
}
