import { defineConfig } from "vitest/config";

const workers = Number(process.env.E2E_WORKERS ?? 1);

export default defineConfig({
  test: {
    include: ["e2e/**/*.test.ts"],
    root: new URL("..", import.meta.url).pathname,
    setupFiles: "e2e/support/own-engines.ts",
    // One file at a time, unless asked otherwise: many suites measure.
    fileParallelism: workers > 1,
    maxWorkers: workers,
    // Machines are shared: what takes seconds here has taken a minute elsewhere.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
