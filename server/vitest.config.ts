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
    // Commands are started by the hundred, always of the same sources.
    env: { NODE_COMPILE_CACHE: new URL("../.data/test/compiled", import.meta.url).pathname },
    globalSetup: "server/src/testing/global-setup.ts",
    // Every core: much of a test is waiting for an engine.
    maxWorkers: "100%",
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
