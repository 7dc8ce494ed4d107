import { InviteUserBody, roles } from "@hearback/contract";
import { type Command, Option } from "commander";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { parseFields } from "../platform/http/parse.ts";
import { inviteUser } from "../users/invite-user.ts";
import { listUsers } from "../users/list-users.ts";
import { toUserBody } from "../users/user-body.ts";
import { print, table } from "./output.ts";
import { anId, type WithApp } from "./with-app.ts";

const mostListed = 10_000;

interface CreateOptions {
  readonly workspace: string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly invite?: boolean;
  readonly json?: boolean;
}

export function userCommands(program: Command, withApp: WithApp): void {
  const user = program.command("user").description("people: agents, reviewers, supervisors, administrators");

  user
    .command("create")
    .description("make a user, as POST /users/invite does")
    .requiredOption("--workspace <id>", "the workspace", anId)
    .requiredOption("--email <address>", "identifies the user")
    .requiredOption("--name <name>", "first and last name")
    .addOption(new Option("--role <role>", "what the user is").choices(roles).default("agent"))
    .option("--invite", "send an invitation e-mail")
    .option("--json", "print JSON")
    .action((options: CreateOptions) =>
      withApp(async (app) => {
        const { email, name, role, invite = false } = options;
        const fields = { email, name, role, send_invite_email: invite };
        const parsed = parseFields(InviteUserBody, fields, { missingCode: "member_missing" });
        const made = await inviteUser(app, options.workspace, { ...parsed, sendInvitation: invite });
        print(toUserBody(made), `User ${made.id} (${made.email}, ${made.role}) made.`, options.json);
      }),
    );

  user
    .command("list")
    .description("list the users of a workspace")
    .requiredOption("--workspace <id>", "the workspace", anId)
    .option("--json", "print JSON")
    .action(({ workspace, json }: { workspace: string; json?: boolean }) =>
      withApp(async (app) => {
        const found = await inWorkspace(app, workspace, (tx) => listUsers(tx, workspace, mostListed));
        const rows = found.map(({ email, name, role, status }) => [email.trim(), name, role, status]);
        const empty = "No user in this workspace. POST /users/invite or `user create` makes one.";
        print(found.map(toUserBody), table(["EMAIL", "NAME", "ROLE", "STATUS"], rows, empty), json);
      }),
    );
}
