import { readFileSync } from "node:fs";

const documentation = ["docs", "errors", "openapi.json"];

/** A pattern of the paths that `npm run dev` passes on to the API: those of openapi.json. All others are the console's. */
export function apiPaths(): string {
  const { paths } = JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8")) as {
    readonly paths: Readonly<Record<string, unknown>>;
  };
  const first = new Set(Object.keys(paths).map((path) => path.split("/")[1] ?? ""));
  return `^/(${[...first, ...documentation].join("|")})(/|[?]|$)`;
}
