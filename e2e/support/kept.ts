import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { GetObjectCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import { type Stack, s3Client } from "./stack.ts";

function setting(stack: Stack, name: string): string {
  const value = stack.env[name];
  if (value === undefined) throw new Error(`the installation has no ${name}`);
  return value;
}

/** The names of all objects in the installation's store, those half written included. */
export async function storedObjects(stack: Stack): Promise<string[]> {
  if (stack.engine === "filesystem") {
    const entries = await readdir(setting(stack, "STORAGE_DIR"), { recursive: true, withFileTypes: true }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return [];
        throw error;
      },
    );
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  }
  const client = s3Client();
  const names: string[] = [];
  let page: string | undefined;
  do {
    const listed = await client.send(
      new ListObjectsV2Command({ Bucket: setting(stack, "S3_BUCKET"), ContinuationToken: page }),
    );
    for (const { Key } of listed.Contents ?? []) if (Key) names.push(Key);
    page = listed.NextContinuationToken;
  } while (page);
  client.destroy();
  return names.sort();
}

/** The SHA-256 of one stored object. */
export async function storedSha256(stack: Stack, name: string): Promise<string> {
  const hash = createHash("sha256");
  if (stack.engine === "filesystem") return hash.update(await readFile(name)).digest("hex");
  const client = s3Client();
  const { Body } = await client.send(new GetObjectCommand({ Bucket: setting(stack, "S3_BUCKET"), Key: name }));
  hash.update((await Body?.transformToByteArray()) ?? "");
  client.destroy();
  return hash.digest("hex");
}

/** What an import leaves behind: the stored objects and the number of calls. */
export async function kept(stack: Stack): Promise<{ objects: string[]; calls: number }> {
  const { rows } = await stack.adminDb.query<{ calls: number }>("select count(*)::int as calls from call");
  return { objects: await storedObjects(stack), calls: rows[0]?.calls ?? -1 };
}

/** The tables, as `schema.table`, that have a row with this text anywhere in it. */
export async function tablesHolding(stack: Stack, text: string): Promise<string[]> {
  const { rows } = await stack.adminDb.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const holding: string[] = [];
  for (const { name } of rows) {
    const found = await stack.adminDb.query(`select 1 from ${name} as r where strpos(r::text, $1) > 0 limit 1`, [text]);
    if (found.rowCount) holding.push(name);
  }
  return holding;
}
