import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: [
      "server/src/**/*.test.ts",
      "contract/src/**/*.test.ts",
      "sdk/src/**/*.test.ts",
      "cli/src/**/*.test.ts",
      "console/src/**/*.test.ts",
    ],
    globalSetup: "server/src/testing/global-setup.ts",
    // Every core: much of a test is waiting for an engine.
    maxWorkers: "100%",
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
