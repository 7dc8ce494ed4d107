export type Environment = Readonly<Record<string, string | undefined>>;

/** What is written to: a terminal, a file or a pipe. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** How text is made to stand out, if the output can show it at all. */
export interface Style {
  readonly colour: boolean;
  /** Whether more than ASCII can be shown. */
  readonly unicode: boolean;
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  green(text: string): string;
}

export function openStyle(output: Output, env: Environment): Style {
  const colour = hasColour(output, env);
  const paint = (from: number, to: number) => (text: string) =>
    colour && text !== "" ? `\x1b[${from}m${text}\x1b[${to}m` : text;
  return {
    colour,
    unicode: hasUnicode(env),
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    yellow: paint(33, 39),
    green: paint(32, 39),
  };
}

function hasColour(output: Output, env: Environment): boolean {
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== "0";
  if (env.NO_COLOR || env.TERM === "dumb") return false;
  return output.isTTY === true;
}

// Containers often set no locale at all, and the terminal in front of them can show everything: only a locale that says otherwise counts.
function hasUnicode(env: Environment): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || "UTF-8";
  return env.TERM !== "dumb" && /utf-?8/i.test(locale);
}

/** Signs of a list, in colour where there is one. */
export const marks = (style: Style) => ({
  good: style.green(style.unicode ? "✓" : "ok"),
  bad: style.red(style.unicode ? "✗" : "FAILED"),
  warning: style.yellow("!"),
});
