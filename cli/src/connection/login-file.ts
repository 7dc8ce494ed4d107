import { randomUUID } from "node:crypto";
import { chmod, mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { CommandError } from "../terminal/command-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import type { Environment } from "../terminal/style.ts";

export interface Login {
  readonly url: string;
  readonly apiKey: string;
}
type Profiles = Readonly<Record<string, Login>>;

/** Path of the file that stores the logins. */
export function loginFile(env: Environment): string {
  const { XDG_CONFIG_HOME: config, HOME: home } = env;
  const folder = config && isAbsolute(config) ? config : join(home || homedir(), ".config");
  return join(folder, "hearback", "login.json");
}

/** Reads all saved profiles; {} if the file does not exist. */
export async function readLogins(file: string): Promise<Profiles> {
  let text: string;
  try {
    const handle = await open(file, "r");
    try {
      // fstat instead of stat: the file cannot be replaced between the check and the read.
      refuseIfOthersCanRead(file, (await handle.stat()).mode);
      text = await handle.readFile("utf8");
    } finally {
      await handle.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    if (error instanceof CommandError) throw error;
    throw unusable(file, (error as Error).message, error);
  }
  return parseLogins(file, text);
}

/** Saves a profile, or removes it if `login` is undefined. */
export async function saveLogin(file: string, profile: string, login: Login | undefined): Promise<void> {
  const { [profile]: _old, ...others } = await readLogins(file);
  const profiles: Profiles = login ? { ...others, [profile]: login } : others;
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  if (Object.keys(profiles).length === 0) return rm(file, { force: true });
  // Atomic write with mode 600 from the start.
  const partial = `${file}.${randomUUID()}`;
  const body = {
    profiles: Object.fromEntries(
      Object.entries(profiles).map(([name, { url, apiKey }]) => [name, { url, api_key: apiKey }]),
    ),
  };
  await writeFile(partial, `${JSON.stringify(body, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  await rename(partial, file);
}

function refuseIfOthersCanRead(file: string, mode: number): void {
  if (process.platform === "win32" || (mode & 0o077) === 0) return;
  throw new CommandError(`Other users can read ${file}, which contains an API key.`, {
    exitCode: exitCodes.usage,
    code: "login_readable_by_others",
    fix: `Run: chmod 600 ${file}    (if another user may have read it, rotate the key)`,
  });
}

function parseLogins(file: string, text: string): Profiles {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // The message of JSON.parse quotes the file and could leak a key.
    throw unusable(file, "it is not valid JSON");
  }
  const profiles = (body as { profiles?: unknown } | null)?.profiles;
  if (typeof profiles !== "object" || profiles === null) throw unusable(file, "it has no profiles");
  return Object.fromEntries(
    Object.entries(profiles as Record<string, { url?: unknown; api_key?: unknown } | null>).map(([name, entry]) => {
      if (typeof entry?.url !== "string" || typeof entry.api_key !== "string") {
        throw unusable(file, `the profile "${name}" lacks its URL or its API key`);
      }
      return [name, { url: entry.url, apiKey: entry.api_key }];
    }),
  );
}

const unusable = (file: string, reason: string, cause?: unknown) =>
  new CommandError(
    `Cannot use ${file}: ${reason}.`,
    { exitCode: exitCodes.usage, code: "login_unusable", fix: "Delete it, then run: hearback login" },
    { cause },
  );
