import { CreateHoldBody } from "@hearback/contract";
import type { Command } from "commander";
import { operatorIn } from "../platform/actor.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { createHold, type Hold, toHoldBody, toHoldSubject } from "../privacy/holds/create-hold.ts";
import { listHolds } from "../privacy/holds/list-holds.ts";
import { releaseHold } from "../privacy/holds/release-hold.ts";
import { print, table } from "./support/output.ts";
import { validate } from "./support/validate.ts";
import { type Common, parseId, type WithApp } from "./support/with-app.ts";

type CreateOptions = Common & { call?: string; agent?: string; campaign?: string; reason: string };

const subjectOf = ({ subjectType, subjectId }: Hold) => `${subjectType} ${subjectId}`;
const maxListed = 10_000;

export function holdCommands(program: Command, withApp: WithApp): void {
  const hold = program.command("hold").description("manage legal holds");

  hold
    .command("create")
    .description("protect a call, an agent or a campaign from erasure")
    .requiredOption("--workspace <id>", "the workspace", parseId)
    .option("--call <id>", "the call", parseId)
    .option("--agent <id>", "the agent, with all calls", parseId)
    .option("--campaign <id>", "the campaign, with all calls")
    .requiredOption("--reason <text>", "reason, such as a case number")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      '\nExample:\n  hearback-server hold create --workspace … --call 3f0c5f5e-… --reason "Case 2026-114"',
    )
    .action(({ workspace, call, agent, campaign, reason, json }: CreateOptions) =>
      withApp(async (app) => {
        const body = validate(CreateHoldBody, { call_id: call, agent_id: agent, campaign_id: campaign, reason });
        const created = await createHold(app, operatorIn(workspace), { subject: toHoldSubject(body), reason });
        print(toHoldBody(created), `Created hold ${created.id} on ${subjectOf(created)}.`, json);
      }),
    );

  hold
    .command("list")
    .description("list active holds, newest first")
    .requiredOption("--workspace <id>", "the workspace", parseId)
    .option("--json", "print JSON")
    .action(({ workspace, json }: Common) =>
      withApp(async (app) => {
        const query = { state: "active", limit: maxListed } as const;
        const { holds } = await inWorkspace(app, workspace, (tx) => listHolds(tx, workspace, query));
        const rows = holds.map((row) => [row.id, subjectOf(row), row.createdAt.toISOString(), row.reason]);
        print(holds.map(toHoldBody), table(["ID", "SUBJECT", "CREATED", "REASON"], rows, "No active holds."), json);
      }),
    );

  hold
    .command("release")
    .description("release a hold")
    .argument("<hold-id>", "the id of the hold, from `hold list`", parseId)
    .requiredOption("--workspace <id>", "the workspace", parseId)
    .option("--json", "print JSON")
    .action((id: string, { workspace, json }: Common) =>
      withApp(async (app) => {
        await releaseHold(app, operatorIn(workspace), id);
        print({ id, active: false }, `Hold ${id} is released.`, json);
      }),
    );
}
