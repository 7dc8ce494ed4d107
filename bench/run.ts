#!/usr/bin/env node
// Runs a benchmark. Each measures the service and the bare engine in the same run and prints the ratio.

const benches = {
  import: async () => (await import("./import.ts")).benchImport,
  importer: async () => (await import("./importer.ts")).benchImporter,
  export: async () => (await import("./export.ts")).benchExport,
  search: async () => (await import("./search.ts")).benchSearch,
  said: async () => (await import("./said.ts")).benchSaid,
  erase: async () => (await import("./erase.ts")).benchErase,
  "large-workspace": async () => (await import("./large-workspace.ts")).benchLargeWorkspace,
  reviews: async () => (await import("./reviews.ts")).benchReviews,
  scores: async () => (await import("./scores.ts")).benchScores,
  prepare: async () => (await import("./prepare.ts")).benchPrepare,
  transcribe: async () => (await import("./transcribe.ts")).benchTranscribe,
};

const usage = `npm run bench -- BENCH [options]

  BENCH     ${Object.keys(benches).join(", ")}; "npm run bench -- BENCH --help" lists its options`;

const [name = "", ...args] = process.argv.slice(2);
if (!Object.hasOwn(benches, name)) {
  const help = ["--help", "-h"].includes(name);
  console.error(help || name === "" ? usage : `Unknown benchmark "${name}".\n\n${usage}`);
  process.exit(help ? 0 : 2);
}

// Ctrl-C stops the load; the benchmark then fails like for any other reason and cleans up.
const interrupt = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => interrupt.abort(new Error(`interrupted by ${signal}`)));
}

try {
  const bench = await benches[name as keyof typeof benches]();
  process.exitCode = await bench(args, interrupt.signal);
} catch (error) {
  console.error(interrupt.signal.aborted ? `bench: ${interrupt.signal.reason.message}` : error);
  process.exitCode = 1;
}
