import {
  ChangePasswordBody,
  ChangeUserBody,
  InviteUserBody,
  ListUsersQuery,
  type Role,
  roles,
  userStatuses,
} from "@hearback/contract";
import { type Command, Option } from "commander";
import { openPasswords } from "../access/passwords.ts";
import { setPassword } from "../access/set-password.ts";
import { operatorIn } from "../platform/actor.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError } from "../platform/errors.ts";
import { parseFields } from "../platform/http/parse.ts";
import { changeUser, type UserChange } from "../users/change-user.ts";
import { endSessions } from "../users/end-sessions.ts";
import { inviteUser } from "../users/invite-user.ts";
import { listUsers } from "../users/list-users.ts";
import { endLinks } from "../users/make-link.ts";
import { toUserBody, type User } from "../users/user-body.ts";
import { checked } from "./checked.ts";
import { print, table } from "./output.ts";
import { readSecret } from "./read-secret.ts";
import { anId, type Common, type WithApp } from "./with-app.ts";

const mostListed = 10_000;

interface CreateOptions extends Common {
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly invite?: boolean;
}

export function userCommands(program: Command, withApp: WithApp): void {
  const user = program.command("user").description("people: agents, reviewers, supervisors, administrators");
  createCommand(user, withApp);
  listCommand(user, withApp);
  changeCommands(user, withApp);
  passwordCommand(user, withApp);
}

function createCommand(user: Command, withApp: WithApp): void {
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
        const made = await inviteUser(app, operatorIn(options.workspace), { ...parsed, sendInvitation: invite });
        print(toUserBody(made), `User ${made.id} (${made.email}, ${made.role}) made.`, options.json);
      }),
    );
}

type ListOptions = Common & { email?: string; role?: string; status?: string };

function listCommand(user: Command, withApp: WithApp): void {
  user
    .command("list")
    .description("list the users of a workspace")
    .requiredOption("--workspace <id>", "the workspace", anId)
    .option("--email <address>", "only the one with this address")
    .addOption(new Option("--role <role>", "only these").choices(roles))
    .addOption(new Option("--status <status>", "only these").choices(userStatuses))
    .option("--json", "print JSON")
    .action(({ workspace, json, email, role, status }: ListOptions) =>
      withApp(async (app) => {
        const filters = checked(ListUsersQuery.omit({ limit: true }), { email, role, status });
        const { users } = await inWorkspace(app, workspace, (tx) =>
          listUsers(tx, workspace, { ...filters, limit: mostListed }),
        );
        const bodies = users.map(toUserBody);
        const rows = bodies.map((body) => [body.email.trim(), body.name, body.role, body.status, body.id]);
        const empty = "No such user in this workspace. POST /users/invite or `user create` makes one.";
        print(bodies, table(["EMAIL", "NAME", "ROLE", "STATUS", "ID"], rows, empty), json);
      }),
    );
}

function changeCommands(user: Command, withApp: WithApp): void {
  const add = (name: string, description: string) =>
    user
      .command(name)
      .description(description)
      .argument("<user-id>", "the user's id, as `user list` shows it", anId)
      .requiredOption("--workspace <id>", "the workspace", anId)
      .option("--json", "print JSON");
  const change = (id: string, { workspace, json }: Common, to: UserChange, say: (user: User) => string) =>
    withApp(async (app) => {
      const changed = await changeUser(app, operatorIn(workspace), id, checked(ChangeUserBody, to));
      print(toUserBody(changed), say(changed), json);
    });

  add("change", "change a user's name or role; who was an agent can still be named by imports")
    .option("--name <name>", "first and last name")
    .addOption(new Option("--role <role>", "what the user is").choices(roles))
    .action((id: string, { name, role, ...common }: Common & { name?: string; role?: Role }) =>
      change(id, common, { name, role }, (user) => `User ${id} is ${user.name}, ${user.role}.`),
    );
  add("deactivate", "say that a user does not work here any more; calls and address stay").action(
    (id: string, common: Common) => change(id, common, { deactivated: true }, () => `User ${id} is deactivated.`),
  );
  add("reactivate", "bring a deactivated user back").action((id: string, common: Common) =>
    change(id, common, { deactivated: false }, () => `User ${id} is active again.`),
  );
}

function passwordCommand(user: Command, withApp: WithApp): void {
  user
    .command("set-password")
    .description(
      "give a user a password, and end their sessions and links; it is read from standard input, or asked for",
    )
    .requiredOption("--workspace <id>", "the workspace", anId)
    .requiredOption("--email <address>", "whose password it is")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExample:\n  hearback-server user set-password --workspace … --email ann@example.com < password.txt",
    )
    .action(({ workspace, email, json }: Common & { email: string }) =>
      withApp(async (app) => {
        const find = (tx: Db) => listUsers(tx, workspace, { email, limit: 1 });
        const [person] = (await inWorkspace(app, workspace, find)).users;
        if (!person) throw new AppError("user_not_found", `There is no user "${email}" in this workspace.`);
        const typed = { new_password: await readSecret(`Password of ${email}: `) };
        const { new_password } = checked(ChangePasswordBody, typed);
        const passwordHash = await openPasswords().hash(new_password);
        await inWorkspace(app, workspace, async (tx) => {
          await endSessions(tx, workspace, person.id);
          await endLinks(tx, workspace, person.id);
          await setPassword(tx, operatorIn(workspace), person.id, passwordHash);
        });
        print({ user_id: person.id }, `${email} signs in with this password from now on.`, json);
      }),
    );
}
