import { createHash, createHmac } from "node:crypto";

export interface S3Access {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();

/** Returns a function that presigns paths for PUT, valid for one hour. Paths must not need escaping. */
export function presigner({ endpoint, region, accessKeyId, secretAccessKey }: S3Access): (path: string) => string {
  const { host } = new URL(endpoint);
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d{3}/g, "");
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = [day, region, "s3", "aws4_request"].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  const query = [
    "X-Amz-Algorithm=AWS4-HMAC-SHA256",
    `X-Amz-Credential=${encodeURIComponent(`${accessKeyId}/${scope}`)}`,
    `X-Amz-Date=${time}`,
    "X-Amz-Expires=3600",
    "X-Amz-SignedHeaders=host",
  ].join("&");
  return (path) => {
    const request = `PUT\n${path}\n${query}\nhost:${host}\n\nhost\nUNSIGNED-PAYLOAD`;
    const signature = hmac(key, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(request)}`).toString("hex");
    return `${path}?${query}&X-Amz-Signature=${signature}`;
  };
}
