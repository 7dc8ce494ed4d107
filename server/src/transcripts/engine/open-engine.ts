import type { App } from "../../platform/app.ts";
import type { TranscriberConfig } from "../../platform/config.ts";
import { type CircuitBreaker, circuitDefaults, openCircuitBreaker } from "./circuit-breaker.ts";
import type { Engine } from "./engine.ts";
import { openLocalEngine } from "./local-engine.ts";
import { openServerEngine } from "./server-engine.ts";

export interface GuardedEngine {
  readonly engine: Engine;
  readonly circuit: CircuitBreaker;
}

/** A local model is kept in memory for this long after the last call. */
const idleMs = 5 * 60_000;

export function openEngine(config: TranscriberConfig): Engine {
  if (config.kind === "local") return openLocalEngine({ ...config, idleMs });
  return openServerEngine(config);
}

/** One for each process of the service. Opened when the first call is transcribed. */
const engines = new WeakMap<App, GuardedEngine>();

/** The engine of the settings. Undefined if there is none. */
export function engineOf(app: App): GuardedEngine | undefined {
  const { transcriber } = app.config;
  if (!transcriber) return undefined;
  const opened = engines.get(app) ?? { engine: openEngine(transcriber), circuit: openCircuitBreaker(circuitDefaults) };
  engines.set(app, opened);
  return opened;
}

export async function closeEngine(app: App): Promise<void> {
  await engines.get(app)?.engine.close();
  engines.delete(app);
}
