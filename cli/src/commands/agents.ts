import { ServiceError, type UserBody } from "@hearback/sdk";
import { type Command, Option } from "commander";
import { exitCodes } from "../terminal/exit-codes.ts";
import { marks } from "../terminal/style.ts";
import { type Column, layOut, widthOf } from "../terminal/table.ts";
import { harmless } from "../terminal/text-width.ts";
import { counted } from "../terminal/units.ts";
import { type Context, globalOptions } from "./context.ts";
import { withExamples } from "./program.ts";
import type { AgentLine } from "./read-agents.ts";

export function agentsCommand(program: Command, context: Context): void {
  const agents = program
    .command("agents")
    .summary("list and create the people whose calls are imported")
    .description("Lists and creates the people whose calls are imported.");
  withExamples(
    agents,
    ["hearback agents list", "who is there"],
    ["hearback agents import agents.csv", "creates all that are not there yet"],
  );
  listAgents(agents, context);
  createAgent(agents, context);
  importAgents(agents, context);
}

function listAgents(agents: Command, context: Context): void {
  const command = agents
    .command("list")
    .summary("list the agents")
    .description("Lists the agents. Needs a key with the scope read or manage.")
    .addOption(new Option("--status <status>", "only those").choices(["active", "invited", "deactivated"]))
    .action((options: { status?: UserBody["status"] }, self: Command) => list(context, self, options));
  withExamples(
    command,
    ["hearback agents list", "a table"],
    ["hearback agents list --json | jq -r .email", "their addresses"],
  );
}

function createAgent(agents: Command, context: Context): void {
  const command = agents
    .command("create")
    .summary("create one agent")
    .description("Creates one agent, without sending an invitation. One who is there already stays as is.")
    .requiredOption("--email <address>", "the agent's e-mail address")
    .requiredOption("--name <name>", "first and last name")
    .option("--invite", "send an invitation by e-mail")
    .action((options: { email: string; name: string; invite?: boolean }, self: Command) =>
      create(context, self, options),
    );
  withExamples(command, ["hearback agents create --email ann@example.com --name 'Ann Lee'", "creates Ann"]);
}

function importAgents(agents: Command, context: Context): void {
  const command = agents
    .command("import")
    .summary("create the agents of a CSV")
    .description(
      "Creates the agents of a CSV with the columns email and name. Those who are there already stay as they are.",
    )
    .argument("<file>", "the CSV; its first line names the columns: email,name or agent,email,name")
    .option("--dry-run", "read the file and create nothing")
    .option("--invite", "send each an invitation by e-mail")
    .action((file: string, options: { dryRun?: boolean; invite?: boolean }, self: Command) =>
      importAll(context, self, file, options),
    );
  withExamples(
    command,
    ["hearback agents import agents.csv --dry-run", "what is in the file, and what is wrong with it"],
    ["hearback agents import agents.csv", "creates them; can be repeated at will"],
  );
}

const columns = (context: Context): readonly Column<UserBody>[] => [
  { title: "email", cell: ({ email }) => email, least: 16 },
  { title: "name", cell: ({ name }) => name, least: 10 },
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
    return context.note(command, "There is no agent yet. Create some: hearback agents import FILE");
  const table = layOut(users, columns(context), { width: widthOf(stdout), style });
  for (const line of [table.head, ...table.lines(users)]) context.print(line);
  context.note(command, context.errorStyle.dim(counted(users.length, "agent")));
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
    if (!(error instanceof ServiceError && error.code === "user_exists")) throw error;
    outcome = "existed";
  }
  if (globalOptions(command).json) return context.print(JSON.stringify({ email, outcome }));
  const { good } = marks(context.style);
  context.print(
    `${good} ${harmless(email)} ${outcome === "created" ? "was created." : "is there already; nothing was changed."}`,
  );
}

type RightLine = Exclude<AgentLine, { readonly wrong: string }>;

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
  // Loaded by whom needs it: the other commands start faster.
  const { readAgents } = await import("./read-agents.ts");
  const { dryRun = false, invite = false } = options;
  const { json } = globalOptions(command);
  const counts: Counts = { created: 0, existed: 0, failed: 0 };
  let lines = 0;
  const fail = (line: number, reason: string) => {
    counts.failed += 1;
    if (json) context.print(JSON.stringify({ line, outcome: "failed", reason }));
    else context.stderr.write(`${marks(context.errorStyle).bad} line ${line}: ${harmless(reason)}\n`);
  };
  async function* readRight(): AsyncGenerator<RightLine> {
    for await (const agent of readAgents(file, context.signal)) {
      lines += 1;
      if ("wrong" in agent) fail(agent.line, agent.wrong);
      else yield agent;
    }
  }
  const done = ({ line, email }: RightLine, outcome: "created" | "existed") => {
    counts[outcome] += 1;
    if (json) context.print(JSON.stringify({ line, email, outcome }));
  };
  if (dryRun) for await (const _ of readRight());
  else await createAll(context, command, { agents: readRight(), invite, done, fail });
  if (counts.failed > 0) context.endWith(exitCodes.someFailed);
  if (json) return context.print(JSON.stringify({ ...counts, lines, dry_run: dryRun }));
  context.print(tellImport(context, counts, lines, dryRun));
}

interface Creating {
  readonly agents: AsyncIterable<RightLine>;
  readonly invite: boolean;
  readonly done: (agent: RightLine, outcome: "created" | "existed") => void;
  readonly fail: (line: number, reason: string) => void;
}

/** A few at a time. While the service cannot be reached all wait together, for a minute at most. */
async function createAll(context: Context, command: Command, { agents, invite, done, fail }: Creating): Promise<void> {
  const { createAgents } = await import("../import/create-agents.ts");
  const { openPace } = await import("../import/pace.ts");
  const { client } = await context.connect(command, { retries: { attempts: 1 } });
  try {
    await createAgents({
      ...{ client, agents, sendInviteEmail: invite, signal: context.signal },
      pace: openPace({ most: 4, patienceMs: 60_000 }),
      onDone: (agent, outcome) => done(agent, outcome === "created" ? "created" : "existed"),
      onFailure: ({ line, reason }) => fail(line, reason),
    });
  } finally {
    client.close();
  }
}

function tellImport({ style }: Context, { created, existed, failed }: Counts, lines: number, dryRun: boolean): string {
  const { good, warning } = marks(style);
  const wrong = failed > 0 ? `, ${style.red(`${counted(failed, "line")} failed`)}` : "";
  const done = dryRun
    ? `${counted(lines - failed, "agent")} to create or find; nothing was created`
    : `${counted(created, "agent")} created, ${existed} there already`;
  return `${failed > 0 ? warning : good} ${done}${wrong}.`;
}
