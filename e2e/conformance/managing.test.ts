import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { send } from "../support/http/http.ts";
import { createKey, local, target, testLocally } from "../support/stack/target.ts";

const root = join(import.meta.dirname, "../..");

testLocally(
  "every command in docs/managing.md works",
  async () => {
    const { env, command, workspaceId } = local();
    const text = await readFile(join(root, "docs/managing.md"), "utf8");
    const lines = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map((block) => block[1] ?? "");
    expect(lines.length).toBeGreaterThan(8);
    const [user] = await command<{ id: string }[]>("user", "list", "--workspace", workspaceId, "--json");
    const { key } = await createKey("manage", "--scope", "import", "read", "manage");
    const team = await send<{ id: string }>(`${target.baseUrl}/teams`, {
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify({ name: "Support Dijon" }),
    });
    const script = [
      "set -e",
      'curl() { command curl -sS --fail-with-body -o /dev/null -w "%{http_code}\\n" "$@"; }',
      `hearback-server() { "${process.execPath}" "${root}/server/src/main.ts" "$@" > /dev/null && echo done; }`,
      ...lines,
    ].join("\n");
    const { stdout } = await promisify(execFile)("bash", ["-c", script], {
      env: {
        ...env,
        ...{ BASE_URL: target.baseUrl, API_KEY: key },
        WORKSPACE: workspaceId,
        USER_ID: user?.id,
        KEY_ID: (await createKey("read")).id,
        TEAM_ID: team.body.id,
      },
    });
    const answers = stdout.trim().split("\n");
    expect(answers.length).toBeGreaterThan(15);
    expect(answers.filter((answer) => !/^(20[014]|done)$/.test(answer))).toEqual([]);
  },
  120_000,
);

testLocally(
  "the server commands match the routes and print JSON",
  async () => {
    const { command, workspaceId } = local();
    const run = (words: string[], ...more: string[]) => {
      const where = words[0] === "workspace" ? [] : ["--workspace", workspaceId];
      return command<Record<string, unknown>>(...words, ...where, ...more, "--json");
    };
    const agent = ["--email", "commanded@example.com", "--name", "Bob Roy"];
    const { id: userId } = await run(["user", "create"], ...agent);
    const { id: keyId } = await run(["key", "create"], "--name", "a", "--campaign", "support-fr", "--scope", "read");
    await run(["campaign", "create"], "--id", "commanded", "--name", "A");

    expect(await run(["campaign", "create"], "--id", "commanded", "--name", "B")).toMatchObject({ name: "A" });
    expect(await run(["campaign", "rename", "commanded", "B"])).toMatchObject({ name: "B" });
    expect(await run(["campaign", "set-agent-channel", "commanded", "right"])).toMatchObject({
      agent_channel: "right",
    });
    expect(await run(["campaign", "transcription", "commanded", "fr"])).toMatchObject({ transcription_language: "fr" });
    expect(await run(["campaign", "transcription", "commanded", "off"])).toMatchObject({
      transcription_language: null,
    });
    const masking = ["campaign", "masking", "commanded", "text_and_sound"];
    expect(await run(masking, "--erase-originals", "on")).toMatchObject({
      masking: "text_and_sound",
      erase_masked_originals: true,
    });
    expect(await run(["campaign", "archive", "commanded"])).toMatchObject({ archived: true });
    expect(await run(["user", "change", String(userId)], "--role", "admin")).toMatchObject({ role: "admin" });
    expect(await run(["user", "deactivate", String(userId)])).toMatchObject({ status: "deactivated" });
    expect(await run(["user", "list"], "--status", "deactivated", "--role", "admin")).toMatchObject([{ id: userId }]);
    const end = "2100-01-01T00:00:00.000Z";
    const changed = await run(["key", "change", String(keyId)], "--name", "b", "--expires-at", end);
    expect(changed).toMatchObject({ name: "b", expires_at: end, campaign_ids: ["support-fr"] });
    const rotated = await run(["key", "rotate", String(keyId)], "--overlap-hours", "0");
    expect(rotated).toMatchObject({ name: "b", campaign_ids: ["support-fr"], key: expect.stringMatching(/^hb_/) });
    expect(await run(["key", "revoke", String(rotated.id)])).toMatchObject({ revoked_at: expect.any(String) });
    const zone = await run(["workspace", "change", workspaceId], "--time-zone", "Asia/Tokyo", "--name", "Acme Tokyo");
    expect(zone).toMatchObject({ name: "Acme Tokyo", settings: { time_zone: "Asia/Tokyo" } });
    const minutes = await run(["workspace", "change", workspaceId], "--transcription-minutes-per-day", "90");
    expect(minutes).toMatchObject({ settings: { transcription: false, transcription_minutes_per_day: 90 } });
    const { rows } = await local().adminDb.query<{ action: string }>(
      "select action from audit_entry where actor_type = 'operator' and action like 'user.%' and subject_id = $1",
      [userId],
    );
    expect(rows.map(({ action }) => action)).toEqual(["user.created", "user.changed", "user.deactivated"]);
  },
  180_000,
);
