import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { beforeAll, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";

const folder = join(import.meta.dirname, "../../deploy/kubernetes");

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: { readonly template?: { readonly spec: PodSpec } };
}
interface PodSpec {
  readonly securityContext: object;
  readonly containers: readonly { readonly securityContext: object; readonly resources: { readonly limits: object } }[];
}

let manifests: Manifest[];
beforeAll(async () => {
  const { resources } = parse(await readFile(join(folder, "kustomization.yaml"), "utf8"));
  const listed = (await readdir(folder)).filter((name) => name !== "kustomization.yaml").sort();
  expect(resources.toSorted()).toEqual(listed);
  const texts = await Promise.all(listed.map((name) => readFile(join(folder, name), "utf8")));
  manifests = texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS()));
});

/** Checks objects by the types of the Kubernetes API, which name every member. Returns what is wrong. */
function findProblems(objects: readonly Manifest[]): string[] {
  const text = objects
    .map(({ apiVersion, kind, ...rest }, index) => {
      const literal = JSON.stringify({ apiVersion, kind, ...rest }, null, 1);
      return `import type { I${kind} as Kind${index} } from "kubernetes-models/${apiVersion}/${kind}";
        export const object${index}: Kind${index} & { apiVersion: "${apiVersion}"; kind: "${kind}" } = ${literal};`;
    })
    .join("\n");
  const name = join(import.meta.dirname, "kubernetes-files.generated.ts");
  const options = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (path) => path === name || fileExists(path);
  host.getSourceFile = (path, target) =>
    path === name ? ts.createSourceFile(path, text, target) : getSourceFile.call(host, path, target);
  const program = ts.createProgram([name], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

test("deploy/kubernetes follows the types of the Kubernetes API", () => {
  expect(manifests.map(({ kind }) => kind).sort()).toEqual([
    "ConfigMap",
    ...["Deployment", "Deployment"],
    ...["HorizontalPodAutoscaler", "HorizontalPodAutoscaler"],
    "Job",
    ...["NetworkPolicy", "NetworkPolicy", "NetworkPolicy"],
    ...["PodDisruptionBudget", "PodDisruptionBudget"],
    "Service",
  ]);
  const misspelt = manifests.map((manifest) =>
    manifest.kind === "Service" ? { ...manifest, spec: { ...manifest.spec, portz: [] } } : manifest,
  );
  expect(findProblems(misspelt)).toEqual([expect.stringContaining("does not exist in type 'IServiceSpec'")]);
  expect(findProblems(manifests)).toEqual([]);
});

test("pods run as a user, without capabilities, on a read-only root, with a memory limit", () => {
  const pods = manifests.flatMap(({ spec }) => spec?.template?.spec ?? []);
  expect(pods).toHaveLength(3);
  for (const pod of pods) {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, seccompProfile: {} });
    for (const { securityContext, resources } of pod.containers) {
      const drop = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } };
      expect(securityContext).toEqual(drop);
      expect(resources.limits).toMatchObject({ memory: expect.any(String) });
    }
  }
});

test("the settings exist", async () => {
  const example = await readFile(join(folder, "../example.env"), "utf8");
  const known = new Set(Array.from(example.matchAll(/^#? ?([A-Z0-9_]+)=/gm), ([, name]) => name));
  const used = manifests.flatMap(({ data }) => Object.keys(data ?? {}));
  expect(used).not.toEqual([]);
  expect(used.filter((name) => !known.has(name))).toEqual([]);
});

interface Policy {
  readonly podSelector: object;
  readonly ingress?: readonly {
    readonly from: readonly object[];
    readonly ports: readonly { readonly port: number }[];
  }[];
}

test("nobody reaches the pods but the ingress controller and Prometheus, and only Prometheus reaches metrics", () => {
  const policies = manifests
    .filter(({ kind }) => kind === "NetworkPolicy")
    .map(({ spec }) => spec as unknown as Policy);
  expect(policies).toContainEqual({
    podSelector: { matchLabels: { "app.kubernetes.io/name": "hearback" } },
    policyTypes: ["Ingress"],
  });
  const opened = policies.flatMap(({ ingress = [] }) => ingress);
  expect(opened.every(({ from, ports }) => from.length > 0 && ports.length > 0)).toBe(true);
  const settings = manifests.find(({ kind }) => kind === "ConfigMap")?.data;
  const ports = opened.map((rule) => rule.ports.map(({ port }) => String(port)));
  expect(ports).toEqual([["8080"], [settings?.WORKER_PORT, settings?.METRICS_PORT]]);
});
