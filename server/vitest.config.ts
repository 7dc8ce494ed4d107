import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const root = new URL("..", import.meta.url).pathname;
// Commands are started by the hundred, always of the same sources.
const env = { NODE_COMPILE_CACHE: `${root}.data/test/compiled` };
const timeouts = { testTimeout: 30_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    root,
    // More than cores: much of a test is waiting for an engine.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Files share a worker and its modules: loading them again for each file takes longer than the tests.
    isolate: false,
    projects: [
      {
        test: {
          ...timeouts,
          root,
          env,
          name: "server",
          include: ["server/src/**/*.test.ts"],
          // Starts PostgreSQL and the S3 store.
          globalSetup: "server/src/testing/servers/global-setup.ts",
        },
      },
      {
        test: {
          ...timeouts,
          root,
          env,
          name: "clients",
          include: [
            ...["portable", "scoring", "draws", "contract", "sdk", "cli", "console"].map(
              (folder) => `${folder}/src/**/*.test.ts`,
            ),
            "scoring/check/*.test.ts",
            "e2e/support/*.test.ts",
            "console/build/*.test.ts",
            "dev/**/*.test.ts",
          ],
        },
      },
    ],
  },
});
