import { defineConfig } from "vitest/config";

const workers = Number(process.env.E2E_WORKERS ?? 1);

export default defineConfig({
  test: {
    include: ["e2e/**/*.test.ts"],
    root: new URL("..", import.meta.url).pathname,
    setupFiles: "e2e/support/stack/worker-engines.ts",
    // Sequential by default: many suites measure time.
    fileParallelism: workers > 1,
    maxWorkers: workers,
    // Generous, for shared machines.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
