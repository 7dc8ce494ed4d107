import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto";

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

export interface RequestToSign {
  readonly method: string;
  readonly host: string;
  /** Percent-encoded. */
  readonly path: string;
  /** Percent-encoded and sorted by name. */
  readonly query: string;
}

const hmac = (key: string | Buffer | KeyObject, text: string) => createHmac("sha256", key).update(text).digest();
const sha256 = (text: string) => hash("sha256", text);

let cachedFor = "";
let cachedKey: KeyObject | undefined;

function signingKey(credentials: Credentials, day: string, region: string): KeyObject {
  const wanted = `${credentials.secretAccessKey}/${day}/${region}`;
  if (!cachedKey || wanted !== cachedFor) {
    const key = hmac(hmac(hmac(hmac(`AWS4${credentials.secretAccessKey}`, day), region), "s3"), "aws4_request");
    cachedKey = createSecretKey(key);
    cachedFor = wanted;
  }
  return cachedKey;
}

/** The headers that sign an S3 request (Signature Version 4) without hashing its payload a second time. */
export function signRequest(
  request: RequestToSign,
  credentials: Credentials,
  region: string,
  at: Date = new Date(),
): Record<string, string> {
  const time = at.toISOString().replace(/[-:]|\.\d{3}/g, "");
  const day = time.slice(0, 8);
  const headers: Record<string, string> = {
    host: request.host,
    "x-amz-content-sha256": "UNSIGNED-PAYLOAD",
    "x-amz-date": time,
    ...(credentials.sessionToken && { "x-amz-security-token": credentials.sessionToken }),
  };
  const names = Object.keys(headers);
  const signed = names.join(";");
  const canonical = [
    request.method,
    request.path,
    request.query,
    ...names.map((name) => `${name}:${headers[name]}`),
    "",
    signed,
    "UNSIGNED-PAYLOAD",
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const signature = hmac(
    signingKey(credentials, day, region),
    `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`,
  ).toString("hex");
  headers.authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`;
  return headers;
}
