import { sql } from "kysely";
import { expect, test } from "vitest";
import { verifyLog } from "../audit/verify-log.ts";
import { operatorIn } from "../platform/actor.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { callImporter } from "../testing/import-calls.ts";
import { openTestApp } from "../testing/test-app.ts";
import { eraseCall } from "./erase-call.ts";
import { digestOf } from "./ids-digest.ts";
import { requestErasure } from "./request-erasure.ts";
import { runErasure } from "./run-erasure.ts";
import { verifyCertificates } from "./verify-certificates.ts";

const service = await openTestApp();
const { app, api, caller } = service;
const { workspaceId } = caller;
const importCall = await callImporter(service);
const headers = { "x-api-key": await service.key("manage") };
const certificateOf = async (id: string) => (await api.inject({ url: `/erasures/${id}/certificate`, headers })).json();
/** Uses the service's database role, which may update erasures. */
const change = (set: string, id: string) =>
  inWorkspace(app, workspaceId, (tx) =>
    sql`update erasure set ${sql.raw(set)} where workspace_id = ${workspaceId} and id = ${id}`.execute(tx),
  );

test("the audit log contains the certificate's digest, and verification reports altered certificates", async () => {
  const metadata = [{ key: "phone", value: "+33100000000" }];
  const calls = [await importCall({ metadata }), await importCall({ metadata }), await importCall({ metadata })];
  const { id } = await requestErasure(app, operatorIn(workspaceId), {
    metadata: { key: "phone", value: "+33100000000" },
  });
  await runErasure(app, { workspaceId, id });
  const digest = digestOf(calls.map((call) => call.id)).toString("hex");
  expect(await certificateOf(id)).toMatchObject({ ids_digest: digest, erased: 3 });
  const { rows } = await service.admin.query(
    "select data from audit_entry where subject_id = $1 order by number desc",
    [id],
  );
  expect(rows[0].data).toMatchObject({ kind: "metadata", erased: 3, held: 0, ids_digest: digest });
  expect(await verifyCertificates(app, workspaceId)).toEqual([]);

  await change("ids_digest = decode(repeat('ab', 32), 'hex')", id);
  expect(await verifyCertificates(app, workspaceId)).toEqual([{ erasureId: id, problem: "digest_differs" }]);
  // The certificate takes its digest from the audit log.
  expect(await certificateOf(id)).toMatchObject({ ids_digest: digest });
  await change(`ids_digest = decode('${digest}', 'hex'), erased = 2`, id);
  expect(await verifyCertificates(app, workspaceId)).toEqual([{ erasureId: id, problem: "counts_differ" }]);
  await change("erased = 3, audit_number = 1", id);
  expect(await verifyCertificates(app, workspaceId)).toEqual([{ erasureId: id, problem: "entry_missing" }]);
  await expect(
    inWorkspace(app, workspaceId, (tx) => sql`update audit_entry set data = '{}'`.execute(tx)),
  ).rejects.toThrow("permission denied");
  expect((await verifyLog(app, workspaceId)).wrong).toBeUndefined();
});

test("the audit entry of an immediate erasure contains the digest", async () => {
  const { id } = await importCall();
  await eraseCall(app, caller, id);
  const { rows } = await service.admin.query("select data from audit_entry where subject_id = $1", [id]);
  const [entry] = rows;
  expect(entry.data.ids_digest).toBe(digestOf([id]).toString("hex"));
  expect(await certificateOf(entry.data.erasure_id)).toMatchObject({ ids_digest: entry.data.ids_digest });
});
