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
import { endSessions } from "../access/sessions/end-sessions.ts";
import { openPasswordHasher } from "../access/sign-in/password-hasher.ts";
import { unlinkProvider } from "../access/sign-in/provider-identity.ts";
import { requireStrongPassword } from "../access/sign-in/require-strong-password.ts";
import { setPassword } from "../access/sign-in/set-password.ts";
import { resetFactors } from "../access/two-step/reset-factors.ts";
import { operatorIn } from "../platform/actor.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { parseFields } from "../platform/http/parse.ts";
import { endLinks } from "../users/access-links.ts";
import { changeUser, type UserChange } from "../users/change-user.ts";
import { createSignInLink } from "../users/create-sign-in-link.ts";
import { userNotFound } from "../users/errors.ts";
import { inviteUser } from "../users/invite-user.ts";
import { listUsers } from "../users/list-users.ts";
import { requirePasswordSignIn } from "../users/password-sign-in-setting.ts";
import { toUserBody, type User } from "../users/user-body.ts";
import { print, table } from "./support/output.ts";
import { readSecret } from "./support/read-secret.ts";
import { validate } from "./support/validate.ts";
import { type Common, parseId, type WithApp } from "./support/with-app.ts";

const maxListed = 10_000;

interface CreateOptions extends Common {
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly invite?: boolean;
}

export function userCommands(program: Command, withApp: WithApp): void {
  const user = program.command("user").description("manage users: agents, reviewers, supervisors and administrators");
  createCommand(user, withApp);
  listCommand(user, withApp);
  changeCommands(user, withApp);
  passwordCommand(user, withApp);
  resetTwoStepCommand(user, withApp);
  signInLinkCommand(user, withApp);
}

function createCommand(user: Command, withApp: WithApp): void {
  user
    .command("create")
    .description("create a user, like POST /users/invite")
    .requiredOption("--workspace <id>", "the workspace", parseId)
    .requiredOption("--email <address>", "email address of the user")
    .requiredOption("--name <name>", "first and last name")
    .addOption(new Option("--role <role>", "role of the user").choices(roles).default("agent"))
    .option("--invite", "send an invitation email")
    .option("--json", "print JSON")
    .action((options: CreateOptions) =>
      withApp(async (app) => {
        const { email, name, role, invite = false } = options;
        const fields = { email, name, role, send_invite_email: invite };
        const parsed = parseFields(InviteUserBody, fields);
        const created = await inviteUser(app, operatorIn(options.workspace), { ...parsed, sendInvitation: invite });
        print(toUserBody(created), `Created user ${created.id} (${created.email}, ${created.role}).`, options.json);
      }),
    );
}

type ListOptions = Common & { email?: string; role?: string; status?: string };

function listCommand(user: Command, withApp: WithApp): void {
  user
    .command("list")
    .description("list the users of a workspace")
    .requiredOption("--workspace <id>", "the workspace", parseId)
    .option("--email <address>", "only the user with this email address")
    .addOption(new Option("--role <role>", "only users with this role").choices(roles))
    .addOption(new Option("--status <status>", "only users with this status").choices(userStatuses))
    .option("--json", "print JSON")
    .action(({ workspace, json, email, role, status }: ListOptions) =>
      withApp(async (app) => {
        const filters = validate(ListUsersQuery.omit({ limit: true }), { email, role, status });
        const { users } = await inWorkspace(app, workspace, (tx) =>
          listUsers(tx, workspace, { ...filters, limit: maxListed }),
        );
        const bodies = users.map(toUserBody);
        const rows = bodies.map((body) => [body.email.trim(), body.name, body.role, body.status, body.id]);
        const empty = "No users found. Create one with `user create` or POST /users/invite.";
        print(bodies, table(["EMAIL", "NAME", "ROLE", "STATUS", "ID"], rows, empty), json);
      }),
    );
}

function changeCommands(user: Command, withApp: WithApp): void {
  const add = (name: string, description: string) =>
    user
      .command(name)
      .description(description)
      .argument("<user-id>", "the id of the user, from `user list`", parseId)
      .requiredOption("--workspace <id>", "the workspace", parseId)
      .option("--json", "print JSON");
  const change = (id: string, { workspace, json }: Common, to: UserChange, describe: (user: User) => string) =>
    withApp(async (app) => {
      const changed = await changeUser(app, operatorIn(workspace), id, validate(ChangeUserBody, to));
      print(toUserBody(changed), describe(changed), json);
    });

  add("change", "change a user's name or role; imports still accept former agents")
    .option("--name <name>", "first and last name")
    .addOption(new Option("--role <role>", "role of the user").choices(roles))
    .action((id: string, { name, role, ...common }: Common & { name?: string; role?: Role }) =>
      change(id, common, { name, role }, (user) => `User ${id} is ${user.name}, ${user.role}.`),
    );
  add("deactivate", "deactivate a user; their calls and email address are kept").action((id: string, common: Common) =>
    change(id, common, { deactivated: true }, () => `User ${id} is deactivated.`),
  );
  add("unlink-provider", "unlink a user from their account at the identity provider and end their sessions").action(
    (id: string, { workspace, json }: Common) =>
      withApp(async (app) => {
        await unlinkProvider(app, operatorIn(workspace), id);
        print({ user_id: id }, `Unlinked user ${id}. The next sign-in with the provider links them again.`, json);
      }),
  );
  add("reactivate", "reactivate a deactivated user").action((id: string, common: Common) =>
    change(id, common, { deactivated: false }, () => `User ${id} is active again.`),
  );
}

/** Break-glass command for an administrator who lost every second factor. */
function resetTwoStepCommand(user: Command, withApp: WithApp): void {
  user
    .command("reset-mfa")
    .description(
      "remove the second factors of a user (authenticator app, passkeys, recovery codes) and end their sessions",
    )
    .argument("<email>", "email address of the user")
    .requiredOption("--workspace <id>", "the workspace", parseId)
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  hearback-server user reset-mfa ann@example.com --workspace …")
    .action((email: string, { workspace, json }: Common) =>
      withApp(async (app) => {
        const [found] = (await inWorkspace(app, workspace, (tx) => listUsers(tx, workspace, { email, limit: 1 })))
          .users;
        if (!found) throw userNotFound.withDetail(`There is no user "${email}" in this workspace.`);
        await resetFactors(app, operatorIn(workspace), found.id);
        print({ user_id: found.id }, `Removed the second factors of ${email} and ended their sessions.`, json);
      }),
    );
}

function passwordCommand(user: Command, withApp: WithApp): void {
  user
    .command("set-password")
    .description(
      "set a user's password and end their sessions and links; reads the password from standard input or prompts for it",
    )
    .requiredOption("--workspace <id>", "the workspace", parseId)
    .requiredOption("--email <address>", "email address of the user")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExample:\n  hearback-server user set-password --workspace … --email ann@example.com < password.txt",
    )
    .action(({ workspace, email, json }: Common & { email: string }) =>
      withApp(async (app) => {
        const find = (tx: Db) => listUsers(tx, workspace, { email, limit: 1 });
        const [found] = (await inWorkspace(app, workspace, find)).users;
        if (!found) throw userNotFound.withDetail(`There is no user "${email}" in this workspace.`);
        await inWorkspace(app, workspace, (tx) => requirePasswordSignIn(tx, workspace));
        const typed = { new_password: await readSecret(`Password of ${email}: `) };
        const { new_password } = validate(ChangePasswordBody, typed);
        requireStrongPassword({ password: new_password, part: "new_password", about: [found.name, found.email] });
        const passwordHash = await openPasswordHasher().hash(new_password);
        await inWorkspace(app, workspace, async (tx) => {
          await endSessions(tx, workspace, found.id);
          await endLinks(tx, workspace, found.id);
          await setPassword(tx, operatorIn(workspace), found.id, passwordHash);
        });
        print({ user_id: found.id }, `Set the password of ${email}.`, json);
      }),
    );
}

function signInLinkCommand(user: Command, withApp: WithApp): void {
  user
    .command("sign-in-link")
    .description(
      "print a one-time link that signs an administrator in without password or provider; recorded in the audit log",
    )
    .requiredOption("--workspace <id>", "the workspace", parseId)
    .requiredOption("--email <address>", "email address of the administrator")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nFor emergencies, when password sign-in is disabled and the identity provider is unavailable.",
    )
    .action(({ workspace, email, json }: Common & { email: string }) =>
      withApp(async (app) => {
        const { url, expiresAt } = await createSignInLink(app, operatorIn(workspace), email);
        const until = expiresAt.toISOString();
        print(
          { link: url, expires_at: until },
          `Open this link in a browser before ${until}. It works once:\n\n${url}`,
          json,
        );
      }),
    );
}
