import { join } from "node:path";
import { defineConfig } from "vitest/config";

const root = join(import.meta.dirname, "..");

/** Tests that run for every mutant: without engines. Workspace packages are resolved in this copy of the repository, not in node_modules. */
export default defineConfig({
  resolve: { alias: [{ find: /^@hearback\/(portable|scoring|draws)\/(.+)$/, replacement: `${root}/$1/src/$2.ts` }] },
  test: {
    root,
    // With one mutant at a time on a busy machine, the first run of the tests takes long.
    testTimeout: 60_000,
    // Simulations take too long for every mutant, and measures of time depend on what else runs.
    exclude: ["**/coverage.test.ts", "**/masking-time.test.ts", "**/node_modules/**", "**/.data/**"],
    include: ["scoring/src/**/*.test.ts", "draws/src/**/*.test.ts", "server/src/transcripts/masking/**/*.test.ts"],
  },
});
