/** Parses lines of the form KEY=VALUE. */
export const parseSettings = (lines: string): Record<string, string> =>
  Object.fromEntries(
    lines
      .trim()
      .split("\n")
      .map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]),
  );
