// Each worker of a run has engines of its own (run.ts starts them); its files of tests find them in the environment.
const engines: readonly Record<string, string>[] = JSON.parse(process.env.E2E_ENGINES ?? "[]");
Object.assign(process.env, engines[Number(process.env.VITEST_POOL_ID) - 1]);
