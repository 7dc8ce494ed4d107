// Each Vitest worker has its own engines, started by run.ts. Sets their addresses in the environment.
const engines: readonly Record<string, string>[] = JSON.parse(process.env.E2E_ENGINES ?? "[]");
Object.assign(process.env, engines[Number(process.env.VITEST_POOL_ID) - 1]);
