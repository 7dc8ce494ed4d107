import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Engine } from "../../e2e/support/stack/stack.ts";
import { cpuOf } from "./cpu.ts";
import { cephPids, startEngine } from "./engines.ts";
import { howMany, type Load } from "./load.ts";
import { presigner } from "./presign.ts";
import type { Side } from "./round.ts";
import { startServer } from "./start-server.ts";

/** Starts the bare storage engine, to be loaded without the service. */
export function startBare(engine: Engine, dir: string, cleanup: AsyncDisposableStack): Promise<Side> {
  return engine === "s3" ? startBareS3() : startBareFilesystem(join(dir, "bare"), cleanup);
}

async function startBareS3(): Promise<Side> {
  await startEngine("s3");
  const { S3_ENDPOINT = "", S3_REGION = "", S3_BUCKET, S3_ACCESS_KEY_ID = "", S3_SECRET_ACCESS_KEY = "" } = process.env;
  const presign = presigner({
    endpoint: S3_ENDPOINT,
    region: S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  });
  const { gateway, osd } = cephPids();
  return {
    makeLoad: putsTo(S3_ENDPOINT, (name) => presign(`/${S3_BUCKET}/${name}`)),
    readCpu: () => ({ gateway: cpuOf(gateway), osd: cpuOf(osd) }),
  };
}

async function startBareFilesystem(dir: string, cleanup: AsyncDisposableStack): Promise<Side> {
  await mkdir(dir);
  const { baseUrl, pid } = await startServer("bare-filesystem.ts", [dir], cleanup);
  return { makeLoad: putsTo(baseUrl, (name) => `/${name}`), readCpu: () => ({ bare: cpuOf(pid) }) };
}

/** Loads that PUT a recording, each time to a new path. */
function putsTo(baseUrl: string, toPath: (name: string) => string): Side["makeLoad"] {
  let used = 0;
  return (recording, seconds): Load => {
    const values = Array.from({ length: howMany(recording, seconds) }, () => toPath(String(used++).padStart(8, "0")));
    const head = [
      `PUT ${values[0]} HTTP/1.1`,
      `Host: ${new URL(baseUrl).host}`,
      "Content-Type: audio/wav",
      `Content-Length: ${recording.length}`,
    ];
    const request = Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), recording]);
    return { baseUrl, request, offset: "PUT ".length, values };
  };
}
