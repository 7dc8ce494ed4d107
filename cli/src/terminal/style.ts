import { styleText } from "node:util";

export type Environment = Readonly<Record<string, string | undefined>>;

/** An output stream: a terminal, a file or a pipe. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Text styles. They are no-ops if the output has no colours. */
export interface Style {
  readonly colour: boolean;
  /** Whether the output can show more than ASCII. */
  readonly unicode: boolean;
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  green(text: string): string;
}

export function openStyle(output: Output, env: Environment): Style {
  const colour = hasColour(output, env);
  // styleText checks process.stdout by default; this output may be another stream.
  const paint = (format: "bold" | "dim" | "red" | "yellow" | "green") => (text: string) =>
    colour && text !== "" ? styleText(format, text, { validateStream: false }) : text;
  return {
    colour,
    unicode: hasUnicode(env),
    bold: paint("bold"),
    dim: paint("dim"),
    red: paint("red"),
    yellow: paint("yellow"),
    green: paint("green"),
  };
}

function hasColour(output: Output, env: Environment): boolean {
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== "0";
  if (env.NO_COLOR || env.TERM === "dumb") return false;
  return output.isTTY === true;
}

// Containers often set no locale although the terminal supports UTF-8, so assume UTF-8 unless a locale says otherwise.
function hasUnicode(env: Environment): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || "UTF-8";
  return env.TERM !== "dumb" && /utf-?8/i.test(locale);
}

/** Status symbols. */
export const marks = (style: Style) => ({
  good: style.green(style.unicode ? "✓" : "ok"),
  bad: style.red(style.unicode ? "✗" : "FAILED"),
  warning: style.yellow("!"),
});
