import { defineConfig } from "vitest/config";

const workers = Number(process.env.E2E_WORKERS ?? 1);

export default defineConfig({
  test: {
    include: ["e2e/**/*.test.ts"],
    root: new URL("..", import.meta.url).pathname,
    // One file at a time, unless asked otherwise: most suites measure, or disturb the engines that all share.
    fileParallelism: workers > 1,
    maxWorkers: workers,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
