import { transcriptionFailureCodes } from "@hearback/contract";
import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";

/** Metrics served at /metrics. Labels never contain names, addresses or ids of customers. */
export interface Metrics {
  readonly registry: Registry;
  readonly requests: Histogram<"method" | "route" | "status">;
  readonly imports: Counter<"outcome">;
  readonly importedBytes: Counter;
  readonly limited: Counter<"limit">;
  readonly deliveries: Counter<"outcome">;
  readonly jobs: Histogram<"queue" | "outcome">;
  readonly jobsSetAside: Counter<"reason">;
  readonly preparePhases: Histogram<"phase">;
  readonly preparedSeconds: Counter;
  readonly settledCalls: Counter<"outcome">;
  readonly recordingFaults: Counter<"code">;
  readonly transcribedSeconds: Counter;
  readonly transcriptions: Counter<"outcome">;
}

export function openMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const recordingFaults = new Counter({
    name: "hearback_recording_faults_total",
    help: "Failed reads of a recording: missing from the object store (recording_missing) or with a wrong checksum (recording_corrupt), including retries",
    labelNames: ["code"],
    registers,
  });
  // A counter that begins with 1 has no increase, and the first fault would raise no alert. The same below.
  for (const code of ["recording_missing", "recording_corrupt"]) recordingFaults.inc({ code }, 0);
  const deliveries = new Counter({
    name: "hearback_webhook_attempts_total",
    help: "Webhook delivery attempts by outcome: delivered, retried, failed, gone and failing (webhook disabled), repeated",
    labelNames: ["outcome"],
    registers,
  });
  for (const outcome of ["failed", "gone", "failing"]) deliveries.inc({ outcome }, 0);
  const transcriptions = new Counter({
    name: "hearback_transcriptions_total",
    help: "Transcriptions by outcome: transcribed, waiting (for an engine that is unavailable), quota_exceeded (waiting for the next day), or a failure code",
    labelNames: ["outcome"],
    registers,
  });
  for (const outcome of ["waiting", ...transcriptionFailureCodes]) transcriptions.inc({ outcome }, 0);
  return {
    registry,
    requests: new Histogram({
      name: "hearback_http_request_seconds",
      help: "Time from the first byte of a request to the last byte of its response",
      labelNames: ["method", "route", "status"],
      buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600],
      registers,
    }),
    imports: new Counter({
      name: "hearback_imports_total",
      help: "Imports by outcome: imported, duplicate, restored (a lost recording was replaced), erased, dry_run, or an error code",
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
      help: "Requests rejected with 429, by limit",
      labelNames: ["limit"],
      registers,
    }),
    deliveries,
    jobs: new Histogram({
      name: "hearback_job_seconds",
      help: "Duration of background jobs by queue and outcome (done or failed)",
      labelNames: ["queue", "outcome"],
      buckets: [0.02, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
      registers,
    }),
    jobsSetAside: new Counter({
      name: "hearback_jobs_set_aside_total",
      help: "Jobs set aside because the queue could not accept them, by reason: queue_unknown, refused",
      labelNames: ["reason"],
      registers,
    }),
    preparePhases: new Histogram({
      name: "hearback_prepare_phase_seconds",
      help: "Duration of the phases of preparing a call: fetch, probe, decode, store",
      labelNames: ["phase"],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers,
    }),
    preparedSeconds: new Counter({
      name: "hearback_prepared_audio_seconds_total",
      help: "Seconds of audio in calls that became ready",
      registers,
    }),
    settledCalls: new Counter({
      name: "hearback_calls_settled_total",
      help: "Prepared calls by outcome: ready, or the failure code",
      labelNames: ["outcome"],
      registers,
    }),
    recordingFaults,
    transcribedSeconds: new Counter({
      name: "hearback_transcribed_seconds_total",
      help: "Seconds of speech that the transcription engine answered",
      registers,
    }),
    transcriptions,
  };
}
