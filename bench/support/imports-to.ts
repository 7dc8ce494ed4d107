import type { Stack } from "../../e2e/support/stack/stack.ts";
import { howMany, type Load } from "./load.ts";
import type { Side } from "./round.ts";

const boundary = "------------------------8b1f0c2d4e6a7935";
const metadata = [
  { key: "site", value: "Lyon" },
  { key: "direction", value: "inbound" },
  { key: "ticket", value: "2041-77" },
];

/** Loads of POST /calls/audio, with the fields before the file, as most clients send them. */
export function importsTo(
  baseUrl: string,
  stack: Pick<Stack, "apiKey" | "campaignId" | "agentEmail">,
): Side["makeLoad"] {
  // A different time makes a different call. Times are consecutive seconds of last month, in one partition, which the
  // warm-up creates.
  const today = new Date();
  let time = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1) / 1000;
  return (recording, seconds): Load => {
    const values = Array.from({ length: howMany(recording, seconds) }, () => String(time++));
    const fields = [
      textPart("campaign_id", stack.campaignId),
      textPart("conversation_timestamp", values[0] ?? ""),
      textPart("agent_email", stack.agentEmail),
      textPart("metadata", JSON.stringify(metadata)),
    ];
    const beforeFile = `${fields.join("")}${partHead('name="file"; filename="call.wav"\r\nContent-Type: audio/wav')}`;
    const afterFile = `\r\n--${boundary}--\r\n`;
    const head = [
      "POST /calls/audio HTTP/1.1",
      `Host: ${new URL(baseUrl).host}`,
      `x-api-key: ${stack.apiKey}`,
      `Content-Type: multipart/form-data; boundary=${boundary}`,
      `Content-Length: ${beforeFile.length + recording.length + afterFile.length}`,
    ];
    const start = `${head.join("\r\n")}\r\n\r\n${beforeFile}`;
    const request = Buffer.concat([Buffer.from(start), recording, Buffer.from(afterFile)]);
    return { baseUrl, request, offset: start.indexOf(`\r\n\r\n${values[0]}\r\n`) + 4, values };
  };
}

const partHead = (disposition: string) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`;
const textPart = (name: string, value: string) => `${partHead(`name="${name}"`)}${value}\r\n`;
