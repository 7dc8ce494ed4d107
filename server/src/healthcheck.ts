// Exits with 0 if the API or the worker in this container is alive. Does not ask the database: a restart would not help.
import { env, stderr } from "node:process";

async function requireAlive(port: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(4000) });
  if (!answer.ok) throw new Error(`port ${port}: ${answer.status} ${(await answer.text()).slice(0, 200)}`);
}

const reason = (error: Error) => (error.cause instanceof Error ? error.cause.message : error.message);

try {
  await Promise.any([requireAlive(env.PORT ?? "8080"), requireAlive(env.WORKER_PORT ?? "8081")]);
} catch (error) {
  const { errors } = error as AggregateError;
  stderr.write(`${errors.map(reason).join("; ")}\n`);
  process.exitCode = 1;
}
