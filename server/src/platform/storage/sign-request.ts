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

/** A link to one object, to be signed. */
export interface LinkToSign {
  readonly host: string;
  /** Percent-encoded. */
  readonly path: string;
  /** What the answer is to say of itself, such as response-content-type. Signed like the rest. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly seconds: number;
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

const timeOf = (at: Date) => at.toISOString().replace(/[-:]|\.\d{3}/g, "");
const scopeOf = (time: string, region: string) => `${time.slice(0, 8)}/${region}/s3/aws4_request`;

/** Signs a canonical request (Signature Version 4). */
function signatureOf(canonical: string, credentials: Credentials, region: string, time: string): string {
  const text = `AWS4-HMAC-SHA256\n${time}\n${scopeOf(time, region)}\n${sha256(canonical)}`;
  return hmac(signingKey(credentials, time.slice(0, 8), region), text).toString("hex");
}

/** The headers that sign an S3 request without hashing its payload a second time. */
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

/** The query that makes of an object's address a link: whoever has it may GET that object, and nothing else, until it ends. */
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
