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

/** Input for a presigned URL. */
export interface LinkToSign {
  readonly host: string;
  /** Percent-encoded. */
  readonly path: string;
  /** Response overrides such as response-content-type. Covered by the signature. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly seconds: number;
}

const hmac = (key: string | Buffer | KeyObject, text: string) => createHmac("sha256", key).update(text).digest();
const sha256 = (text: string) => hash("sha256", text);

let cachedFor = "";
let cachedKey: KeyObject | undefined;

function signingKey(credentials: Credentials, day: string, region: string): KeyObject {
  const cacheKey = `${credentials.secretAccessKey}/${day}/${region}`;
  if (!cachedKey || cacheKey !== cachedFor) {
    const key = hmac(hmac(hmac(hmac(`AWS4${credentials.secretAccessKey}`, day), region), "s3"), "aws4_request");
    cachedKey = createSecretKey(key);
    cachedFor = cacheKey;
  }
  return cachedKey;
}

const timeOf = (at: Date) => at.toISOString().replace(/[-:]|\.\d{3}/g, "");
const scopeOf = (time: string, region: string) => `${time.slice(0, 8)}/${region}/s3/aws4_request`;

/** Signs a canonical request (Signature Version 4). */
function signatureOf(canonical: string, credentials: Credentials, region: string, time: string): string {
  const text = `AWS4-HMAC-SHA256\n${time}\n${scopeOf(time, region)}\n${sha256(canonical)}`;
  return hmac(signingKey(credentials, time.slice(0, 8), region), text).toString("hex");
}

/** Signs an S3 request with an unsigned payload, so that the payload is not hashed again. Returns the headers. */
export function signRequest(
  request: RequestToSign,
  credentials: Credentials,
  region: string,
  at: Date = new Date(),
): Record<string, string> {
  const time = timeOf(at);
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
  const signature = signatureOf(canonical, credentials, region, time);
  headers.authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scopeOf(time, region)}, SignedHeaders=${signed}, Signature=${signature}`;
  return headers;
}

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** Returns the query string of a presigned URL that allows GET of one object until it expires. */
export function signLink(link: LinkToSign, credentials: Credentials, region: string, at: Date = new Date()): string {
  const time = timeOf(at);
  const parameters: Record<string, string> = {
    ...link.parameters,
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": `${credentials.accessKeyId}/${scopeOf(time, region)}`,
    "X-Amz-Date": time,
    "X-Amz-Expires": String(link.seconds),
    "X-Amz-SignedHeaders": "host",
    ...(credentials.sessionToken && { "X-Amz-Security-Token": credentials.sessionToken }),
  };
  const query = Object.entries(parameters)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join("&");
  const canonical = ["GET", link.path, query, `host:${link.host}`, "", "host", "UNSIGNED-PAYLOAD"].join("\n");
  return `${query}&X-Amz-Signature=${signatureOf(canonical, credentials, region, time)}`;
}
