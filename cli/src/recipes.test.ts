import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { createClient } from "@hearback/sdk";
import { expect, onTestFinished, test } from "vitest";
import { type Entry, isInvalid } from "./manifest/entry.ts";
import { loadMapping } from "./manifest/load-mapping.ts";
import { openManifest } from "./manifest/open-manifest.ts";
import { makeFolder } from "./manifest/testing/manifest-folder.ts";
import { preflight } from "./preflight/preflight.ts";
import { makeWav } from "./testing/make-wav.ts";

const folder = new URL("../recipes/", import.meta.url);
const names = ["3cx", "asterisk", "freeswitch", "oreka", "twilio"];

test("every recipe has a sample and a page", async () => {
  const named = async (path: string, ending: RegExp) =>
    (await readdir(new URL(path, folder))).filter((file) => ending.test(file)).map((file) => file.replace(ending, ""));
  expect((await named(".", /\.json$/)).sort()).toEqual(names);
  expect((await named("samples/", /\.[a-z]+$/)).sort()).toEqual(names);
  expect((await named("../../docs/recipes/", /\.md$/)).sort()).toEqual([...names, "README"].sort());
});

/** A service that knows every campaign and agent, and has no calls. */
async function startService() {
  const none = { limit: null, used: 0, remaining: null, resets_at: null };
  const workspace = { requests_per_second: none, imports_per_second: none, uploads_at_once: none, calls_per_day: none };
  const limits = {
    key: { requests_per_second: none, uploads_at_once: none },
    workspace: { ...workspace, stored_bytes: none },
    interface: { recording_bytes: 1e9 },
  };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const found =
      body && JSON.parse(body).fingerprints.map(() => ({ status: "missing", id: null, reason: "not_imported" }));
    response.setHeader("content-type", "application/json").end(JSON.stringify(found ? { calls: found } : limits));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return createClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: "key" });
}

const agents = `agent,email,name
1001,ann@example.com,Ann Lee
1002,karim@example.com,Karim Benali
1003,lea@example.com,Léa Roux
ann.lee,ann@example.com,Ann Lee
karim.benali,karim@example.com,Karim Benali
+33611112222,lea@example.com,Léa Roux
`;

interface Read {
  /** file, agent, Unix time, metadata */
  readonly calls: readonly (readonly [string, string, number, Record<string, string>])[];
  /** line and code */
  readonly findings: readonly (readonly [number | undefined, string])[];
  readonly skipped: number;
}

/** Reads a sample with its recipe, in a folder with every recording that the sample references. */
async function read(recipe: string, sample: string, timeZone?: string): Promise<Read> {
  const manifest = new URL(`samples/${sample}`, folder).pathname;
  const text = await readFile(manifest, "utf8");
  const recordings = await makeFolder({ "agents.csv": agents });
  const named = [
    ...text.matchAll(
      /"(RE[0-9a-f]{32})"|"([0-9a-f-]{36})","(?:[0-9a-f-]{36})?","|"(\d{10}\.\d+)"|^(\d+\/.*)$|,([\d/]+_\d{6}_[A-Z]+)\.wav,/gm,
    ),
  ];
  for (const [, ...groups] of named) {
    const name = groups.find(Boolean) ?? "";
    const path = join(recordings, /\.wav$/.test(name) ? name : `${name}.wav`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, makeWav());
  }
  const opened = await openManifest({
    manifest,
    recordings,
    mapping: await loadMapping({ recipe }),
    agentsFile: join(recordings, "agents.csv"),
    campaign: "support-fr",
    timeZone,
  });
  onTestFinished(() => opened.close());
  const calls: Entry[] = [];
  const findings: [number, string][] = [];
  for await (const row of opened.entries()) {
    if (isInvalid(row)) for (const { code } of row.findings) findings.push([row.line, code]);
    else calls.push(row);
  }
  expect(calls.every(({ campaignId }) => campaignId === "support-fr")).toBe(true);
  const checked = await preflight(opened, { client: await startService(), createAgents: false });
  expect(checked).toMatchObject({ importable: calls.length, blocked: false });
  const toMetadata = ({ metadata }: Entry) => Object.fromEntries(metadata.map(({ key, value }) => [key, value]));
  return {
    calls: calls.map((call) => [call.file, call.agentEmail, call.happenedAt, toMetadata(call)]),
    findings,
    skipped: checked.skipped,
  };
}

// Times were converted by hand, with `date -u -d '2026-03-02 08:15:11' +%s`.
test("reads Asterisk CDRs", async () => {
  const context = { in: "from-trunk", out: "from-internal" };
  expect(await read("asterisk", "asterisk.csv", "UTC")).toEqual({
    calls: [
      [
        "1772439304.52.wav",
        "ann@example.com",
        1_772_439_311,
        {
          client_phone: "+33612345678",
          caller: "+33612345678",
          caller_name: "Durand, Élise",
          called: "1001",
          context: context.in,
          talk_seconds: "271",
          call_reference: "1772439304.52",
        },
      ],
      [
        "1772442137.56.wav",
        "karim@example.com",
        1_772_442_149,
        {
          client_phone: "0033145678901",
          caller: "1002",
          caller_name: "Karim Benali",
          called: "0033145678901",
          context: context.out,
          talk_seconds: "451",
          call_reference: "1772442137.56",
          userfield: 'contract 4711; "gold"',
        },
      ],
      [
        "1772448001.58.wav",
        "lea@example.com",
        1_772_448_002,
        {
          client_phone: "+33698765432",
          caller: "+33698765432",
          caller_name: 'M. "Jo" Petit',
          called: "600",
          context: context.in,
          talk_seconds: "731",
          call_reference: "1772448001.58",
        },
      ],
      // A call between two extensions: the called party.
      [
        "1772451000.66.wav",
        "karim@example.com",
        1_772_451_003,
        {
          caller: "1001",
          caller_name: "Ann Lee",
          called: "1002",
          context: context.out,
          talk_seconds: "57",
          call_reference: "1772451000.66",
        },
      ],
      [
        "1772492398.68.wav",
        "ann@example.com",
        1_772_492_403,
        {
          caller: "anonymous",
          caller_name: "Anonymous",
          called: "1001",
          context: context.in,
          talk_seconds: "240",
          call_reference: "1772492398.68",
        },
      ],
    ],
    findings: [],
    skipped: 3,
  });
});

test("reads FreeSWITCH CDRs, in local time", async () => {
  const { calls, findings, skipped } = await read("freeswitch", "freeswitch.csv", "Europe/Paris");
  expect(calls).toEqual([
    [
      "a5c9f6c0-e752-11e3-8bfb-65b6c3cdac7d.wav",
      "ann@example.com",
      1_772_439_311,
      {
        client_phone: "+33612345678",
        caller_name: "Durand, Élise",
        context: "default",
        talk_seconds: "271",
        call_reference: "a5c9f6c0-e752-11e3-8bfb-65b6c3cdac7d",
      },
    ],
    [
      "e29ff0ae-e752-11e3-8bff-65b6c3cdac7d.wav",
      "karim@example.com",
      1_772_442_149,
      {
        client_phone: "0033145678901",
        caller_name: "Karim Benali",
        context: "default",
        accountcode: "sales",
        talk_seconds: "451",
        call_reference: "e29ff0ae-e752-11e3-8bff-65b6c3cdac7d",
      },
    ],
    [
      "e38cb5b0-e752-11e3-8c0b-65b6c3cdac7d.wav",
      "ann@example.com",
      1_772_492_403,
      {
        caller_name: "anonymous",
        context: "default",
        talk_seconds: "240",
        call_reference: "e38cb5b0-e752-11e3-8c0b-65b6c3cdac7d",
      },
    ],
    [
      "f1d2d2f9-24e9-86ac-86fd-f7b36c94bcdf.wav",
      "lea@example.com",
      // In summer.
      1_784_047_202,
      {
        client_phone: "+33698765432",
        caller_name: 'M. "Jo" Petit',
        context: "default",
        talk_seconds: "731",
        call_reference: "f1d2d2f9-24e9-86ac-86fd-f7b36c94bcdf",
      },
    ],
    // A call between two extensions: the called party.
    [
      "0b7d3a10-e753-11e3-8c0f-65b6c3cdac7d.wav",
      "lea@example.com",
      1_772_451_003,
      {
        caller_name: "Ann Lee",
        context: "default",
        talk_seconds: "57",
        call_reference: "0b7d3a10-e753-11e3-8c0f-65b6c3cdac7d",
      },
    ],
  ]);
  expect([findings, skipped]).toEqual([[], 3]);
});

test("reads 3CX file names", async () => {
  const { calls, findings, skipped } = await read("3cx", "3cx.txt", "Europe/Paris");
  expect(calls).toEqual([
    [
      "1001/[Durand, Élise]_+33612345678-1001_20260302091504(52).wav",
      "ann@example.com",
      1_772_439_304,
      {
        client_phone: "+33612345678",
        client_name: "Durand, Élise",
        from: "+33612345678",
        to: "1001",
        call_reference: "52",
      },
    ],
    [
      "1002/[]_1002-0033145678901_20260302100217(56).wav",
      "karim@example.com",
      1_772_442_137,
      { client_phone: "0033145678901", from: "1002", to: "0033145678901", call_reference: "56" },
    ],
    [
      "1002/[0033145678902]_1002-0033145678902_20260302120700(64).wav",
      "karim@example.com",
      1_772_449_620,
      { client_phone: "0033145678902", from: "1002", to: "0033145678902", call_reference: "64" },
    ],
    [
      "1003/[M. Jo 'Petit']_+33698765432-1003_20260714184001(1058).wav",
      "lea@example.com",
      1_784_047_201,
      {
        client_phone: "+33698765432",
        client_name: "M. Jo 'Petit'",
        from: "+33698765432",
        to: "1003",
        call_reference: "1058",
      },
    ],
    [
      "1001/[Karim Benali]_1001-1002_20260302123000(66).wav",
      "ann@example.com",
      1_772_451_000,
      { client_name: "Karim Benali", from: "1001", to: "1002", call_reference: "66" },
    ],
    [
      "1001/[Anonymous]_-1001_20260302235958(68).wav",
      "ann@example.com",
      1_772_492_398,
      { client_name: "Anonymous", to: "1001", call_reference: "68" },
    ],
  ]);
  expect([findings, skipped]).toEqual([[], 1]);
});

test("reads Oreka tapes", async () => {
  const { calls, findings, skipped } = await read("oreka", "oreka.csv");
  expect(calls).toEqual([
    [
      "2026/03/02/09/20260302_091511_KLAB.wav",
      "ann@example.com",
      1_772_439_311,
      {
        client_phone: "+33612345678",
        call_direction: "inbound",
        entry_point: "0187654321",
        duration_seconds: "271",
        call_reference: "7b1f2c00@10.0.0.5",
        tape: "812",
      },
    ],
    [
      "2026/03/02/10/20260302_100229_KLAC.wav",
      "karim@example.com",
      1_772_442_149,
      {
        client_phone: "0033145678901",
        call_direction: "outbound",
        duration_seconds: "451",
        call_reference: "7b1f2c01@10.0.0.5, leg 2",
        tape: "813",
      },
    ],
    [
      "2026/03/02/11/20260302_114002_KLAE.wav",
      "lea@example.com",
      1_772_448_002,
      {
        client_phone: '"Jo" <+33698765432>',
        call_direction: "inbound",
        entry_point: "0187654321",
        duration_seconds: "731",
        call_reference: "7b1f2c03@10.0.0.5",
        tape: "815",
      },
    ],
    [
      "2026/03/03/00/20260303_000003_KLAG.wav",
      "ann@example.com",
      1_772_492_403,
      { client_phone: "anonymous", call_direction: "unknown", duration_seconds: "240", tape: "817" },
    ],
  ]);
  // An address instead of an extension.
  expect([findings, skipped]).toEqual([[[8, "agent_not_in_agents_file"]], 2]);
});

test("reads Twilio recordings and calls", async () => {
  const { calls, findings, skipped } = await read("twilio", "twilio.jsonl");
  const sid = (digit: number) => `RE557ce644e5ab84fa21cc21112e22c40${digit}`;
  const call = (end: string) => `CA12e64f000000000000000000000000${end}`;
  expect(calls).toEqual([
    [
      `${sid(1)}.wav`,
      "ann@example.com",
      1_772_439_311,
      {
        client_phone: "+33612345678",
        call_direction: "inbound",
        twilio_number: "+33187654321",
        duration_seconds: "271",
        call_reference: call("1a"),
        recording: sid(1),
      },
    ],
    [
      `${sid(2)}.wav`,
      "karim@example.com",
      1_772_442_149,
      {
        client_phone: "+33145678901",
        call_direction: "outbound",
        twilio_number: "+33187654321",
        duration_seconds: "451",
        call_reference: call("1b"),
        recording: sid(2),
      },
    ],
    [
      `${sid(4)}.wav`,
      "lea@example.com",
      1_784_047_202,
      {
        client_phone: "+33698765432",
        call_direction: "outbound",
        twilio_number: "+33187654321",
        duration_seconds: "731",
        call_reference: call("1d"),
        recording: sid(4),
      },
    ],
    [
      `${sid(6)}.wav`,
      "ann@example.com",
      1_772_492_403,
      {
        client_phone: "anonymous",
        call_direction: "inbound",
        twilio_number: "+33187654321",
        duration_seconds: "240",
        call_reference: call("1f"),
        recording: sid(6),
      },
    ],
  ]);
  // Voicemail has no agent.
  expect([findings, skipped]).toEqual([[[7, "agent_missing"]], 2]);
});
