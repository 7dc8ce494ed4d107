import { expect, onTestFinished, test } from "vitest";
import { openTestApp } from "../testing/test-app.ts";
import { openMetricsServer } from "./metrics-server.ts";

test("with METRICS_PORT, the API serves metrics at that port only", async () => {
  const { app, api } = await openTestApp({ METRICS_PORT: "8082" });
  expect((await api.inject({ method: "GET", url: "/metrics" })).statusCode).toBe(404);
  expect((await api.inject({ method: "GET", url: "/healthz" })).statusCode).toBe(200);
  const server = await openMetricsServer(app, 0);
  onTestFinished(() => server.close());
  const read = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`);
    return { status: answer.status, text: await answer.text() };
  };
  expect(await read("/metrics")).toMatchObject({ status: 200, text: expect.stringContaining("# HELP") });
  for (const path of ["/", "/calls", "/healthz", "/metrics/"]) expect((await read(path)).status).toBe(404);
  await expect(openMetricsServer(app, server.port)).rejects.toThrow(`Cannot listen on METRICS_PORT ${server.port}`);
});
