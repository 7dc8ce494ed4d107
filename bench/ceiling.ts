// The ceiling of an import: what a Node server cannot do without. It parses the same form with the same parser, hashes the
// recording, stores it (a signed PUT over a connection that is kept alive, or a synced file), and inserts one row. No keys, limits,
// validation, recognition, staged row or job.
//
//   node bench/ceiling.ts [FOLDER]      prints its address. Reads the settings of PostgreSQL and S3 from the environment
import { createHash } from "node:crypto";
import { Agent, createServer, request } from "node:http";
import { make } from "multipasta";
import pg from "pg";
import { listen } from "./support/listen.ts";
import { presigner } from "./support/presign.ts";
import { openFileStore } from "./support/store-file.ts";

const { DATABASE_OWNER_URL = "", S3_ENDPOINT: endpoint = "", S3_REGION: region = "", S3_BUCKET } = process.env;
const { S3_ACCESS_KEY_ID: accessKeyId = "", S3_SECRET_ACCESS_KEY: secretAccessKey = "" } = process.env;

const pool = new pg.Pool({ connectionString: DATABASE_OWNER_URL, max: 16 });
await pool.query(
  "create table if not exists ceiling (id bigint generated always as identity primary key, sha256 bytea)",
);

function openPut(): (chunks: readonly Uint8Array[]) => Promise<void> {
  const { hostname, port } = new URL(endpoint);
  const agent = new Agent({ keepAlive: true, scheduling: "lifo" });
  const presign = presigner({ endpoint, region, accessKeyId, secretAccessKey });
  let objects = 0;
  return (chunks) =>
    new Promise((resolve, reject) => {
      const path = presign(`/${S3_BUCKET}/ceiling/${process.pid}-${objects++}`);
      const headers = { "content-length": chunks.reduce((sum, { length }) => sum + length, 0) };
      const outgoing = request({ agent, method: "PUT", hostname, port, path, headers });
      outgoing.on("error", reject).on("response", (response) => {
        const done = () => (response.statusCode === 200 ? resolve() : reject(new Error(`PUT: ${response.statusCode}`)));
        response.on("end", done).resume();
      });
      outgoing.cork();
      for (const chunk of chunks) outgoing.write(chunk);
      outgoing.end();
      outgoing.uncork();
    });
}

const dir = process.argv[2];
const store = dir ? await openFileStore(dir) : openPut();

const server = createServer((incoming, response) => {
  const chunks: Uint8Array[] = [];
  const hash = createHash("sha256");
  const fail = (error: unknown) => response.writeHead(500).end(String(error));
  async function finish(): Promise<void> {
    const sha256 = hash.digest();
    await store(chunks);
    const values = [sha256];
    const { rows } = await pool.query({
      name: "insert",
      text: "insert into ceiling (sha256) values ($1) returning id",
      values,
    });
    response.setHeader("content-type", "application/json").end(JSON.stringify(rows[0]));
  }
  const parser = make({
    headers: incoming.headers as Record<string, string>,
    onField: () => {},
    onFile: () => (chunk) => {
      if (!chunk) return;
      hash.update(chunk);
      chunks.push(chunk);
    },
    onError: fail,
    onDone: () => void finish().catch(fail),
  });
  incoming.on("data", (chunk) => parser.write(chunk)).on("end", () => parser.end());
});
console.log(await listen(server));
