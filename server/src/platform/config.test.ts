import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { ConfigError, readConfig } from "./config.ts";

const least = { DATABASE_URL: "postgres://a:b@127.0.0.1/c", STORAGE: "filesystem", STORAGE_DIR: "/x" };

test("the least settings are enough", () => {
  expect(readConfig(least)).toMatchObject({
    port: 8080,
    cell: "c0",
    recordings: { maxBytes: 512 * 1024 * 1024 },
    storage: { kind: "filesystem", root: "/x" },
    mail: undefined,
  });
});

test.each([
  ["DATABASE_URL", { ...least, DATABASE_URL: undefined }, "is not set"],
  ["DATABASE_URL", { ...least, DATABASE_URL: "mysql://x" }, "must be a URL like postgres://"],
  ["STORAGE", { ...least, STORAGE: "ftp" }, "must be filesystem or s3"],
  ["STORAGE_DIR", { ...least, STORAGE_DIR: "" }, "is needed with STORAGE=filesystem"],
  ["S3_BUCKET", { ...least, STORAGE: "s3" }, "is needed with STORAGE=s3"],
  ["PLAYBACK", { ...least, PLAYBACK: "redirect" }, "can be redirect with STORAGE=s3 only"],
  ["PLAYBACK", { ...least, PLAYBACK: "link" }, "must be stream or redirect"],
  ["PLAYBACK_LINK_SECONDS", { ...least, PLAYBACK_LINK_SECONDS: "301" }, "must be at most 300"],
  ["PLAYBACK_LINK_SECONDS", { ...least, PLAYBACK_LINK_SECONDS: "0" }, "must be at least 1"],
  ["S3_PUBLIC_ENDPOINT", { ...least, S3_PUBLIC_ENDPOINT: "s3.example.com" }, "must be a URL like https://"],
  ["PORT", { ...least, PORT: "http" }, "must be a number"],
  ["CELL", { ...least, CELL: "Paris 1" }, "must be 1 to 16"],
])("a wrong %s is named", (name, env, message) => {
  expect(() => readConfig(env)).toThrow(ConfigError);
  expect(() => readConfig(env)).toThrow(new RegExp(`${name}: .*${message}`));
});

test("deploy/example.env explains every setting and is itself right", async () => {
  const text = await readFile(new URL("../../../deploy/example.env", import.meta.url), "utf8");
  const example = Object.fromEntries(
    [...text.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  expect(() => readConfig(example)).not.toThrow();
  const source = await readFile(new URL("./config.ts", import.meta.url), "utf8");
  const settings = [...source.matchAll(/^ {4}([A-Z0-9_]+):/gm)].map(([, name]) => name);
  expect(settings.length).toBeGreaterThan(15);
  expect(Object.keys(example).sort()).toEqual(settings.sort());
  const page = await readFile(new URL("../../../docs/operations/settings.md", import.meta.url), "utf8");
  expect(settings.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
