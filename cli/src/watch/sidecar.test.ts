import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findSidecar, readSidecar, sidecarPath } from "./sidecar.ts";

const folder = await mkdtemp(join(tmpdir(), "hearback-sidecar-"));
afterAll(() => rm(folder, { recursive: true }));

test.each([
  ["{name}.json", "/in/a b.c.wav", "/in/a b.c.json"],
  ["{file}.json", "/in/88213.wav", "/in/88213.wav.json"],
  ["meta/{name}.meta", "/in/mon/1.wav", "/in/mon/meta/1.meta"],
])("%s for %s", (template, recording, path) => {
  expect(sidecarPath(template, recording)).toBe(path);
});

async function read(text: string) {
  const path = join(folder, "1.json");
  await writeFile(path, text);
  const sidecar = await findSidecar(path);
  return sidecar ? [...(await readSidecar(sidecar))] : undefined;
}

test("reads members as cells, with paths for nested members", async () => {
  const text =
    '\ufeff{"id":12,"agent":{"mail":"ann@example.com","site":{"city":"Lyon"}},"vip":true,"note":null,"tags":["a",1]}';
  expect(await read(text)).toEqual([
    ["id", "12"],
    ["agent.mail", "ann@example.com"],
    ["agent.site.city", "Lyon"],
    ["vip", "true"],
    ["note", ""],
    ["tags", '["a",1]'],
  ]);
});

test.each(["", "{", "[1]", '"text"', "null"])("rejects %j", async (text) => {
  await expect(read(text)).rejects.toThrow(SyntaxError);
});

test("returns undefined without a sidecar", async () => {
  expect(await findSidecar(join(folder, "2.json"))).toBeUndefined();
  expect(await findSidecar(folder)).toBeUndefined();
});
