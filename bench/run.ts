#!/usr/bin/env node
// Picks the bench. Each measures the service beside the bare engine in the same run and says the ratio.

const benches = {
  import: async () => (await import("./import.ts")).benchImport,
  importer: async () => (await import("./importer.ts")).benchImporter,
  export: async () => (await import("./export.ts")).benchExport,
  search: async () => (await import("./search.ts")).benchSearch,
  erase: async () => (await import("./erase.ts")).benchErase,
  prepare: async () => (await import("./prepare.ts")).benchPrepare,
};

const usage = `npm run bench -- BENCH [options]

  BENCH     ${Object.keys(benches).join(", ")}; "npm run bench -- BENCH --help" says its options`;

const [name = "", ...args] = process.argv.slice(2);
if (!Object.hasOwn(benches, name)) {
  const asked = ["--help", "-h"].includes(name);
  console.error(asked || name === "" ? usage : `There is no bench "${name}".\n\n${usage}`);
  process.exit(asked ? 0 : 2);
}

// Ctrl-C ends the load; the bench then fails as for any other reason, and removes what it has written.
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
