import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";

/** What /metrics shows. No label ever holds a name, an address or an id of a customer's. */
export interface Metrics {
  readonly registry: Registry;
  readonly requests: Histogram<"method" | "route" | "status">;
  readonly imports: Counter<"outcome">;
  readonly importedBytes: Counter;
  readonly limited: Counter<"limit">;
  readonly deliveries: Counter<"outcome">;
  readonly jobs: Histogram<"job" | "outcome">;
  readonly preparePhases: Histogram<"phase">;
  readonly preparedSeconds: Counter;
  readonly settledCalls: Counter<"outcome">;
}

export function openMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requests: new Histogram({
      name: "hearback_http_request_seconds",
      help: "Time from a request's first byte to its answer's last",
      labelNames: ["method", "route", "status"],
      buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600],
      registers,
    }),
    imports: new Counter({
      name: "hearback_imports_total",
      help: "Imports by outcome: imported, duplicate, erased, or the error's code",
      labelNames: ["outcome"],
      registers,
    }),
    importedBytes: new Counter({
      name: "hearback_imported_bytes_total",
      help: "Bytes of imported recordings",
      registers,
    }),
    limited: new Counter({
      name: "hearback_limited_requests_total",
      help: "Requests refused with 429, by the limit that was reached",
      labelNames: ["limit"],
      registers,
    }),
    deliveries: new Counter({
      name: "hearback_webhook_attempts_total",
      help: "Attempts to deliver an event by outcome: delivered, retried, failed, gone and failing (disabled), repeated",
      labelNames: ["outcome"],
      registers,
    }),
    jobs: new Histogram({
      name: "hearback_job_seconds",
      help: "Background jobs by name and outcome (done or failed), and how long they took",
      labelNames: ["job", "outcome"],
      buckets: [0.02, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
      registers,
    }),
    preparePhases: new Histogram({
      name: "hearback_prepare_phase_seconds",
      help: "What preparing a call spends its time in: fetch, probe, decode, store",
      labelNames: ["phase"],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers,
    }),
    preparedSeconds: new Counter({
      name: "hearback_prepared_audio_seconds_total",
      help: "Seconds of sound in the calls that were made ready",
      registers,
    }),
    settledCalls: new Counter({
      name: "hearback_calls_settled_total",
      help: "Calls by what became of them: ready, or the code of their failure",
      labelNames: ["outcome"],
      registers,
    }),
  };
}
