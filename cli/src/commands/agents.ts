import type { UserBody } from "@hearback/sdk";
import { type Command, Option } from "commander";
import { agentExists } from "../import/agent-exists.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { marks } from "../terminal/style.ts";
import { type Column, layOutTable, tableWidth } from "../terminal/table.ts";
import { sanitize } from "../terminal/text-width.ts";
import { pluralize } from "../terminal/units.ts";
import { type Context, globalOptions } from "./context.ts";
import { withExamples } from "./program.ts";
import type { AgentLine } from "./read-agents.ts";

export function agentsCommand(program: Command, context: Context): void {
  const agents = program
    .command("agents")
    .summary("list and create agents")
    .description("List and create agents: the people whose calls are imported.");
  withExamples(
    agents,
    ["hearback agents list", "list all agents"],
    ["hearback agents import agents.csv", "create the agents that do not exist yet"],
  );
  listAgents(agents, context);
  createAgent(agents, context);
  importAgents(agents, context);
}

function listAgents(agents: Command, context: Context): void {
  const command = agents
    .command("list")
    .summary("list agents")
    .description("List agents. Requires an API key with the read or manage scope.")
    .addOption(
      new Option("--status <status>", "only agents with this status").choices(["active", "invited", "deactivated"]),
    )
    .action((options: { status?: UserBody["status"] }, self: Command) => list(context, self, options));
  withExamples(
    command,
    ["hearback agents list", "show a table"],
    ["hearback agents list --json | jq -r .email", "print their email addresses"],
  );
}

function createAgent(agents: Command, context: Context): void {
  const command = agents
    .command("create")
    .summary("create an agent")
    .description("Create an agent. Sends no invitation unless you add --invite. An existing agent is left unchanged.")
    .requiredOption("--email <address>", "the agent's email address")
    .requiredOption("--name <name>", "first and last name")
    .option("--invite", "send an invitation email")
    .action((options: { email: string; name: string; invite?: boolean }, self: Command) =>
      create(context, self, options),
    );
  withExamples(command, ["hearback agents create --email ann@example.com --name 'Ann Lee'", "create Ann"]);
}

function importAgents(agents: Command, context: Context): void {
  const command = agents
    .command("import")
    .summary("create agents from a CSV file")
    .description("Create agents from a CSV file with the columns email and name. Existing agents are left unchanged.")
    .argument("<file>", "CSV file with the header email,name or agent,email,name")
    .option("--dry-run", "check the file without creating agents")
    .option("--invite", "send an invitation email to each agent")
    .action((file: string, options: { dryRun?: boolean; invite?: boolean }, self: Command) =>
      importAll(context, self, file, options),
    );
  withExamples(
    command,
    ["hearback agents import agents.csv --dry-run", "check the file"],
    ["hearback agents import agents.csv", "create the agents; safe to repeat"],
  );
}

const columns = (context: Context): readonly Column<UserBody>[] => [
  { title: "email", cell: ({ email }) => email, minWidth: 16 },
  { title: "name", cell: ({ name }) => name, minWidth: 10 },
  {
    title: "status",
    cell: ({ status }) => status,
    rank: 1,
    paint: (text, { status }) => (status === "deactivated" ? context.style.dim(text) : text),
  },
  { title: "since", cell: ({ created_at }) => created_at.slice(0, 10), rank: 2 },
];

async function list(context: Context, command: Command, { status }: { status?: UserBody["status"] }): Promise<void> {
  const { client } = await context.connect(command);
  const { signal, style, stdout } = context;
  const users: UserBody[] = [];
  for await (const user of client.users.list({ role: "agent", status, signal })) {
    if (globalOptions(command).json) context.print(JSON.stringify(user));
    else users.push(user);
  }
  if (globalOptions(command).json) return;
  if (users.length === 0)
    return context.note(command, "No agents yet. To create some, run: hearback agents import FILE");
  const table = layOutTable(users, columns(context), { width: tableWidth(stdout), style });
  for (const line of [table.head, ...table.lines(users)]) context.print(line);
  context.note(command, context.errorStyle.dim(pluralize(users.length, "agent")));
}

async function create(
  context: Context,
  command: Command,
  { email, name, invite = false }: { email: string; name: string; invite?: boolean },
): Promise<void> {
  const { client } = await context.connect(command);
  let outcome: "created" | "existed" = "created";
  try {
    await client.users.invite({ email, name, role: "agent", sendInviteEmail: invite, signal: context.signal });
  } catch (error) {
    if (!agentExists(error)) throw error;
    outcome = "existed";
  }
  if (globalOptions(command).json) return context.print(JSON.stringify({ email, outcome }));
  const { good } = marks(context.style);
  context.print(
    `${good} ${sanitize(email)} ${outcome === "created" ? "was created." : "already exists; nothing was changed."}`,
  );
}

type ValidAgent = Exclude<AgentLine, { readonly wrong: string }>;

interface Counts {
  created: number;
  existed: number;
  failed: number;
}

async function importAll(
  context: Context,
  command: Command,
  file: string,
  options: { dryRun?: boolean; invite?: boolean },
): Promise<void> {
  // Lazy import: the other commands start faster.
  const { readAgents } = await import("./read-agents.ts");
  const { dryRun = false, invite = false } = options;
  const { json } = globalOptions(command);
  const counts: Counts = { created: 0, existed: 0, failed: 0 };
  let lines = 0;
  const fail = (line: number, reason: string) => {
    counts.failed += 1;
    if (json) context.print(JSON.stringify({ line, outcome: "failed", reason }));
    else context.stderr.write(`${marks(context.errorStyle).bad} line ${line}: ${sanitize(reason)}\n`);
  };
  async function* readValid(): AsyncGenerator<ValidAgent> {
    for await (const agent of readAgents(file, context.signal)) {
      lines += 1;
      if ("wrong" in agent) fail(agent.line, agent.wrong);
      else yield agent;
    }
  }
  const done = ({ line, email }: ValidAgent, outcome: "created" | "existed") => {
    counts[outcome] += 1;
    if (json) context.print(JSON.stringify({ line, email, outcome }));
  };
  if (dryRun) for await (const _ of readValid());
  else await createAll(context, command, { agents: readValid(), invite, done, fail });
  if (counts.failed > 0) context.setExitCode(exitCodes.someFailed);
  if (json) return context.print(JSON.stringify({ ...counts, lines, dry_run: dryRun }));
  context.print(formatResult(context, counts, lines, dryRun));
}

interface CreateOptions {
  readonly agents: AsyncIterable<ValidAgent>;
  readonly invite: boolean;
  readonly done: (agent: ValidAgent, outcome: "created" | "existed") => void;
  readonly fail: (line: number, reason: string) => void;
}

/** Creates up to 4 agents concurrently. If the service is unreachable, gives up after 1 minute. */
async function createAll(
  context: Context,
  command: Command,
  { agents, invite, done, fail }: CreateOptions,
): Promise<void> {
  const { createAgents } = await import("../import/create-agents.ts");
  const { openAdaptiveConcurrency } = await import("../import/concurrency/adaptive-concurrency.ts");
  const { client } = await context.connect(command, { retries: { attempts: 1 } });
  try {
    await createAgents({
      client,
      agents,
      sendInviteEmail: invite,
      signal: context.signal,
      concurrency: openAdaptiveConcurrency({ max: 4, giveUpAfterMs: 60_000 }),
      onDone: (agent, outcome) => done(agent, outcome === "created" ? "created" : "existed"),
      onFailure: ({ line, reason }) => fail(line, reason),
    });
  } finally {
    client.close();
  }
}

function formatResult(
  { style }: Context,
  { created, existed, failed }: Counts,
  lines: number,
  dryRun: boolean,
): string {
  const { good, warning } = marks(style);
  const wrong = failed > 0 ? `, ${style.red(`${pluralize(failed, "line")} failed`)}` : "";
  const done = dryRun
    ? `${pluralize(lines - failed, "valid agent")}; nothing was created (dry run)`
    : `${pluralize(created, "agent")} created, ${existed} already existed`;
  return `${failed > 0 ? warning : good} ${done}${wrong}.`;
}
