import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { ConfigError, readConfig } from "./config.ts";

const minimal = { DATABASE_URL: "postgres://a:b@127.0.0.1/c", STORAGE: "filesystem", STORAGE_DIR: "/x" };

test("accepts the minimal settings", () => {
  expect(readConfig(minimal)).toMatchObject({
    port: 8080,
    cell: "c0",
    recordings: { maxBytes: 512 * 1024 * 1024 },
    storage: { kind: "filesystem", root: "/x" },
    mail: undefined,
  });
});

test.each([
  ["DATABASE_URL", { ...minimal, DATABASE_URL: undefined }, "is not set"],
  ["DATABASE_URL", { ...minimal, DATABASE_URL: "mysql://x" }, "must be a URL like postgres://"],
  ["STORAGE", { ...minimal, STORAGE: "ftp" }, "must be filesystem or s3"],
  ["STORAGE_DIR", { ...minimal, STORAGE_DIR: "" }, "is required with STORAGE=filesystem"],
  ["S3_BUCKET", { ...minimal, STORAGE: "s3" }, "is required with STORAGE=s3"],
  ["PLAYBACK", { ...minimal, PLAYBACK: "redirect" }, "can be redirect only with STORAGE=s3"],
  ["PLAYBACK", { ...minimal, PLAYBACK: "link" }, "must be stream or redirect"],
  ["PLAYBACK_LINK_SECONDS", { ...minimal, PLAYBACK_LINK_SECONDS: "301" }, "must be at most 300"],
  ["PLAYBACK_LINK_SECONDS", { ...minimal, PLAYBACK_LINK_SECONDS: "0" }, "must be at least 1"],
  ["S3_PUBLIC_ENDPOINT", { ...minimal, S3_PUBLIC_ENDPOINT: "s3.example.com" }, "must be a URL like https://"],
  ["PORT", { ...minimal, PORT: "http" }, "must be a number"],
  ["ENCRYPTION_KEYS", { ...minimal, ENCRYPTION_KEYS: "2027:short" }, "must be ID:KEY"],
  ["CELL", { ...minimal, CELL: "Paris 1" }, "must be 1 to 16"],
])("names an invalid %s", (name, env, message) => {
  expect(() => readConfig(env)).toThrow(ConfigError);
  expect(() => readConfig(env)).toThrow(new RegExp(`${name}: .*${message}`));
});

const repositoryFile = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), "utf8");

/** The names of all settings, from the source. */
async function settingNames(): Promise<string[]> {
  const source = await repositoryFile("server/src/platform/config.ts");
  const names = [...source.matchAll(/^ {4}([A-Z0-9_]+):/gm)].map(([, name]) => name as string);
  expect(names.length).toBeGreaterThan(15);
  return names.sort();
}

test("deploy/example.env is valid and documents every setting", async () => {
  const text = await repositoryFile("deploy/example.env");
  const example = Object.fromEntries(
    [...text.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  expect(() => readConfig(example)).not.toThrow();
  const settings = await settingNames();
  expect(Object.keys(example).sort()).toEqual(settings);
  const page = await repositoryFile("docs/operations/settings.md");
  expect(settings.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test("deploy/compose.yaml passes every setting to the containers", async () => {
  const text = await repositoryFile("deploy/compose.yaml");
  const shared = /environment: &settings\n((?: {4}.*\n)+)/.exec(text)?.[1] ?? "";
  const passed = [...shared.matchAll(/^ {4}([A-Z0-9_]+):/gm)].map(([, name]) => name);
  // Only the migration gets the owner's connection.
  expect([...passed, "DATABASE_OWNER_URL"].sort()).toEqual(await settingNames());
});
