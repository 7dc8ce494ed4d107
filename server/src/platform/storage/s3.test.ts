import {
  CreateBucketCommand,
  ListMultipartUploadsCommand,
  PutBucketVersioningCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { afterAll, expect, inject, test } from "vitest";
import { openS3 } from "./s3.ts";
import { storageContract } from "./storage-contract.ts";
import { maxChunkBytes } from "./types.ts";

const engines = inject("engines");
const credentials = { accessKeyId: engines.S3_ACCESS_KEY_ID, secretAccessKey: engines.S3_SECRET_ACCESS_KEY };
const config = {
  kind: "s3" as const,
  bucket: engines.S3_BUCKET,
  region: engines.S3_REGION,
  endpoint: engines.S3_ENDPOINT,
  publicEndpoint: undefined,
  pathStyle: true,
  credentials,
  uploadMemoryBytes: 20 * 1024 * 1024,
};
const storage = openS3(config);
const client = new S3Client({ endpoint: config.endpoint, region: config.region, forcePathStyle: true, credentials });
afterAll(() => {
  storage.close();
  client.destroy();
});

storageContract(() => storage);

test("a deleted object leaves no open upload behind", async () => {
  const key = "recordings/contract/abandoned";
  // Not aborted, as if the process had crashed.
  const upload = storage.create(key, "owner");
  for (let megabytes = 0; megabytes < 6; megabytes += 0.25) await upload.write(Buffer.alloc(maxChunkBytes));
  const open = async () =>
    (await client.send(new ListMultipartUploadsCommand({ Bucket: config.bucket, Prefix: key }))).Uploads?.length ?? 0;
  expect(await open()).toBe(1);
  await storage.delete(key);
  expect(await open()).toBe(0);
});

test("a deleted object comes back from its last version, if the bucket has versions", async () => {
  const put = async (to: typeof storage, key: string, text: string) => {
    const upload = to.create(key, "owner");
    await upload.write(Buffer.from(text));
    await upload.finish();
  };
  await put(storage, "recordings/contract/unversioned", "one");
  await storage.delete("recordings/contract/unversioned");
  expect(await storage.undelete?.("recordings/contract/unversioned")).toBe(false);

  const Bucket = `versions-${Date.now()}`;
  await client.send(new CreateBucketCommand({ Bucket }));
  await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: "Enabled" } }));
  const versioned = openS3({ ...config, bucket: Bucket });
  const [key, longer] = ["recordings/contract/a", "recordings/contract/ab"];
  await put(versioned, key, "one");
  await put(versioned, longer, "longer");
  // Twice: a delete marker each time.
  for (const deleted of [key, key, longer]) await versioned.delete(deleted);
  expect(await versioned.size(key)).toBeUndefined();
  expect(await versioned.undelete?.(key)).toBe(true);
  expect([await versioned.size(key), await versioned.size(longer)]).toEqual([3, undefined]);
  versioned.close();
});

test("the check reports a missing bucket", async () => {
  const wrong = openS3({ ...config, bucket: "missing-bucket" });
  await expect(wrong.check()).rejects.toThrow(/NoSuchBucket/);
  wrong.close();
});

test("the check reports a wrong secret", async () => {
  const wrong = openS3({ ...config, credentials: { ...credentials, secretAccessKey: "wrong" } });
  await expect(wrong.check()).rejects.toThrow(/SignatureDoesNotMatch/);
  wrong.close();
});
