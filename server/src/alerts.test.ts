import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { openMetrics } from "./platform/metrics.ts";

const run = promisify(execFile);
const rulesFile = fileURLToPath(new URL("../../deploy/prometheus-alerts.yaml", import.meta.url));
const { groups } = parse(await readFile(rulesFile, "utf8")) as {
  groups: { rules: { alert: string; expr: string; annotations: { summary: string; runbook: string } }[] }[];
};
const rules = groups.flatMap((group) => group.rules);

/** Series and their values, one per minute, in the notation of promtool. */
type Series = Readonly<Record<string, string>>;
interface Cases {
  readonly fires: Series | readonly Series[];
  readonly silent: readonly Series[];
}

const up = { 'up{job="hearback",instance="api:8080"}': "1x99" };
const requests = (status: number, values: string) => ({
  [`hearback_http_request_seconds_count{method="GET",route="/calls",status="${status}"}`]: values,
});
const slowRequests = (route: string, perMinute: number) => ({
  [`hearback_http_request_seconds_bucket{method="GET",route="${route}",status="200",le="1"}`]: "0x99",
  [`hearback_http_request_seconds_bucket{method="GET",route="${route}",status="200",le="2.5"}`]: `0+${perMinute}x99`,
  [`hearback_http_request_seconds_bucket{method="GET",route="${route}",status="200",le="+Inf"}`]: `0+${perMinute}x99`,
  [`hearback_http_request_seconds_count{method="GET",route="${route}",status="200"}`]: `0+${perMinute}x99`,
});
const oldest = (queue: string, values: string) => ({ [`hearback_queue_oldest_seconds{queue="${queue}"}`]: values });
const jobs = (outcome: string, values: string) => ({
  [`hearback_job_seconds_count{queue="mail.send",outcome="${outcome}"}`]: values,
});
const settled = (outcome: string, values: string) => ({
  [`hearback_calls_settled_total{outcome="${outcome}"}`]: values,
});
const imports = (outcome: string, values: string) => ({ [`hearback_imports_total{outcome="${outcome}"}`]: values });
const transcriptions = (outcome: string, values: string) => ({
  [`hearback_transcriptions_total{outcome="${outcome}"}`]: values,
});
const webhooks = (outcome: string, values: string) => ({
  [`hearback_webhook_attempts_total{outcome="${outcome}"}`]: values,
});

const cases: Readonly<Record<string, Cases>> = {
  HearbackProcessDown: {
    fires: { 'up{job="hearback",instance="api:8080"}': "0x99" },
    silent: [up, { 'up{job="hearback",instance="api:8080"}': "1 0 1x97" }, { 'up{job="other"}': "0x99" }],
  },
  HearbackNoWorker: { fires: up, silent: [oldest("call.prepare", "0x99"), oldest("call.prepare", "0 _ _ _ 0x95")] },
  HearbackServerErrors: {
    fires: { ...requests(200, "0+100x99"), ...requests(503, "0+5x99") },
    silent: [
      { ...requests(200, "0+1000x99"), ...requests(500, "0+5x99") },
      { ...requests(200, "0+1x99"), ...requests(500, "0 1 2 3x96") },
      { ...requests(200, "0+100x99"), ...requests(404, "0+50x99") },
    ],
  },
  HearbackSlowRequests: {
    fires: slowRequests("/calls", 20),
    silent: [slowRequests("/calls/:id/audio", 20), slowRequests("/calls", 1)],
  },
  HearbackCallsWait: {
    fires: oldest("call.prepare", "1000x99"),
    silent: [oldest("call.prepare", "800x99"), oldest("webhook.deliver", "1000x99")],
  },
  HearbackJobsWait: {
    fires: oldest("webhook.deliver", "4000x99"),
    silent: [oldest("webhook.deliver", "3000x99"), oldest("call.prepare", "4000x99")],
  },
  HearbackJobsFail: {
    fires: jobs("failed", "0+1x99"),
    silent: [jobs("done", "0+9x99"), jobs("failed", "0+1x5 6x93")],
  },
  HearbackJobsSetAside: {
    fires: { 'hearback_queue_set_aside_jobs{queue="call.prepare"}': "3x99" },
    silent: [{ 'hearback_queue_set_aside_jobs{queue="call.prepare"}': "3x10 0x88" }],
  },
  HearbackCallsFail: {
    fires: { ...settled("ready", "0+10x99"), ...settled("unreadable", "0+1x99") },
    silent: [
      { ...settled("ready", "0+100x99"), ...settled("unreadable", "0+1x99") },
      { ...settled("ready", "0+1x99"), ...settled("unreadable", "0 5x98") },
    ],
  },
  HearbackTranscriptionsFail: {
    fires: [transcriptions("waiting", "0+1x99"), transcriptions("engine_refused", "0+1x99")],
    silent: [
      transcriptions("transcribed", "0+9x99"),
      transcriptions("quota_exceeded", "0+9x99"),
      transcriptions("engine_answer_invalid", "0+0.2x99"),
    ],
  },
  HearbackImportsRefused: {
    fires: imports("agent_not_found", "0+1x99"),
    silent: [imports("duplicate", "0+10x99"), imports("dry_run", "0+10x99"), imports("agent_not_found", "0+0.5x99")],
  },
  HearbackRecordingFault: {
    fires: { 'hearback_recording_faults_total{code="recording_missing"}': "0x60 1x38" },
    silent: [{ 'hearback_recording_faults_total{code="recording_missing"}': "0x99" }],
  },
  HearbackWebhooksFail: {
    fires: [webhooks("failed", "0+1x99"), webhooks("failing", "0x60 1x38"), webhooks("gone", "0x60 1x38")],
    silent: [webhooks("retried", "0+9x99"), webhooks("delivered", "0+9x99")],
  },
  HearbackMemory: {
    fires: { 'process_resident_memory_bytes{job="hearback",instance="api:8080"}': "900000000x99" },
    silent: [
      { 'process_resident_memory_bytes{job="hearback",instance="api:8080"}': "700000000x99" },
      { 'process_resident_memory_bytes{job="hearback",instance="api:8080"}': "900000000x9 300000000x89" },
    ],
  },
  HearbackEventLoopBlocked: {
    fires: { 'nodejs_eventloop_lag_p99_seconds{job="hearback",instance="api:8080"}': "0.8x99" },
    silent: [{ 'nodejs_eventloop_lag_p99_seconds{job="hearback",instance="api:8080"}': "0.8x5 0.1x93" }],
  },
};

/** A test of promtool: how many alerts of this name fire at these minutes. */
const promtoolTest = (alert: string, series: Series, expected: Readonly<Record<number, 0 | 1>>) => ({
  interval: "1m",
  input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
  promql_expr_test: Object.entries(expected).map(([minute, value]) => ({
    expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`,
    eval_time: `${minute}m`,
    exp_samples: [{ labels: "{}", value }],
  })),
});

async function promtool(...args: string[]): Promise<string> {
  const { stdout } = await run("promtool", args).catch((error) => {
    throw new Error(`${error.stdout}${error.stderr}`);
  });
  return stdout;
}

test("every alert fires when it must, and only then", async () => {
  expect(Object.keys(cases)).toEqual(rules.map(({ alert }) => alert));
  const folder = await mkdtemp(join(tmpdir(), "hearback-alerts-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const files: string[] = [];
  for (const rule of rules) {
    const { fires, silent } = cases[rule.alert] as Cases;
    const tests = [
      ...[fires].flat().map((series) => promtoolTest(rule.alert, series, { 0: 0, 80: 1 })),
      ...silent.map((series) => promtoolTest(rule.alert, series, { 5: 0, 20: 0, 40: 0, 61: 0, 90: 0 })),
    ];
    // Each with its own rule alone, which is faster. JSON is YAML.
    const only = join(folder, `${rule.alert}.rules.yaml`);
    await writeFile(only, JSON.stringify({ groups: [{ name: "hearback", rules: [rule] }] }));
    const file = join(folder, `${rule.alert}.test.yaml`);
    await writeFile(file, JSON.stringify({ rule_files: [only], evaluation_interval: "1m", tests }));
    files.push(file);
  }
  await promtool("check", "rules", rulesFile);
  const output = await promtool("test", "rules", ...files);
  expect(output.match(/SUCCESS/g)).toHaveLength(rules.length);
});

test("every alert has a section in the runbook, and every section an alert", async () => {
  const runbook = await readFile(new URL("../../docs/operations/runbook.md", import.meta.url), "utf8");
  const sections = [...runbook.matchAll(/^## (Hearback\w+)$/gm)].map(([, name]) => name);
  expect(sections).toEqual(rules.map(({ alert }) => alert));
  for (const { alert, annotations } of rules)
    expect(annotations.runbook).toBe(`docs/operations/runbook.md#${alert.toLowerCase()}`);
});

test("a first fault is an increase: its counter exists before", async () => {
  const shown = await openMetrics().registry.metrics();
  for (const code of ["recording_missing", "recording_corrupt"])
    expect(shown).toContain(`hearback_recording_faults_total{code="${code}"} 0`);
});
