import { stderr, stdin } from "node:process";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/** Reads one line from standard input. On a terminal, prompts for it and does not echo it. */
export async function readSecret(prompt: string): Promise<string> {
  // Discards the echo.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output, terminal: stdin.isTTY });
  if (stdin.isTTY) stderr.write(prompt);
  try {
    for await (const line of lines) return line;
    return "";
  } finally {
    lines.close();
    if (stdin.isTTY) stderr.write("\n");
  }
}
