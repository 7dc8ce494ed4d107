import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const workers = Number(process.env.E2E_WORKERS ?? 1);
const root = new URL("..", import.meta.url).pathname;
const timings: Readonly<Record<string, number>> = JSON.parse(readFileSync(`${root}e2e/timings.json`, "utf8"));

/** Begins with the longest files, so that all workers end at about the same time. Unknown files come first. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = ({ moduleId }: TestSpecification) => timings[relative(root, moduleId)] ?? Number.POSITIVE_INFINITY;
    return files.toSorted((a, b) => (seconds(a) === seconds(b) ? 0 : seconds(b) - seconds(a)));
  }
}

export default defineConfig({
  test: {
    include: ["e2e/**/*.test.ts"],
    root,
    sequence: { sequencer: LongestFirst },
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
