import { realpath, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import type { Command } from "commander";
import { openAdaptiveConcurrency } from "../import/concurrency/adaptive-concurrency.ts";
import { ImportStopped } from "../import/import-stopped.ts";
import { acquireLock } from "../import/journal/journal-lock.ts";
import { loadMapping } from "../manifest/load-mapping.ts";
import { CommandError } from "../terminal/command-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { sanitize } from "../terminal/text-width.ts";
import type { Done } from "../watch/finish.ts";
import type { Plan } from "../watch/import-pass.ts";
import { openPlan } from "../watch/read-plan.ts";
import { formatEvent, type WatchEvent } from "../watch/watch-event.ts";
import { watchFolder } from "../watch/watch-folder.ts";
import { type Context, globalOptions } from "./context.ts";

export interface WatchCommandOptions {
  readonly recipe?: string;
  readonly mapping?: string;
  readonly map: string[];
  readonly pattern?: string;
  readonly sidecar?: string;
  readonly campaign?: string;
  readonly timeFormat?: string;
  readonly timeZone?: string;
  readonly ambiguous?: "earlier" | "later";
  readonly agents?: string;
  readonly createAgents?: boolean;
  readonly settle: number;
  readonly every: number;
  readonly done: Done;
  readonly failed?: string;
  readonly status?: string;
  readonly concurrency: number;
  readonly once?: boolean;
}

/** Watches a folder until it is stopped. */
export async function runWatch(
  context: Context,
  command: Command,
  folder: string,
  options: WatchCommandOptions,
): Promise<void> {
  const { signal } = context;
  const { json } = globalOptions(command);
  const root = await findFolder(folder);
  const done: Done = options.done.how === "move" ? { how: "move", folder: resolve(options.done.folder) } : options.done;
  const moved = done.how === "move" ? done.folder : undefined;
  const failedFolder = options.failed === undefined ? undefined : resolve(options.failed);
  if (moved === root || failedFolder === root)
    throw new CommandError("Recordings cannot be moved to the watched folder itself.", {
      exitCode: exitCodes.usage,
      code: "folder_same",
      fix: "Use another folder. It can be a subfolder of the watched one.",
    });
  const plan = await readOptions(options);
  // AdaptiveConcurrency retries for all requests together. An unreachable service is retried forever.
  const { client, url } = await context.connect(command, { retries: { attempts: 1 } });
  const concurrency = openAdaptiveConcurrency({ max: options.concurrency, giveUpAfterMs: Number.POSITIVE_INFINITY });
  const emit = (event: WatchEvent) => context.print(json ? JSON.stringify(event) : sanitize(formatEvent(event)));
  const unlock = await lock(root);
  try {
    emit({ event: "started", detail: `watching ${root} for ${url}` });
    const status = await watchFolder({
      root,
      except: new Set([moved, failedFolder].flatMap((path) => (path === undefined ? [] : [relative(root, path)]))),
      client,
      concurrency,
      plan,
      done,
      failedFolder,
      sidecar: options.sidecar,
      settleMs: options.settle * 1000,
      everyMs: options.every * 1000,
      once: options.once === true,
      createAgents: options.createAgents === true,
      statusFile: options.status === undefined ? undefined : resolve(options.status),
      emit,
      signal,
    });
    const { imported, present, failed, waiting } = status;
    emit({
      event: "ended",
      detail: `${imported} imported, ${present} already imported, ${failed} failed, ${waiting} waiting`,
    });
    if (options.once && failed > 0) context.setExitCode(exitCodes.someFailed);
  } catch (error) {
    if (!(error instanceof ImportStopped)) throw error;
    throw new CommandError(error.message, { exitCode: error.exitCode, code: "stopped" }, { cause: error });
  } finally {
    await unlock();
  }
}

async function readOptions(options: WatchCommandOptions): Promise<Plan> {
  if ([options.pattern, options.sidecar, options.recipe, options.mapping].every((option) => option === undefined))
    throw new CommandError("Cannot determine the agent and time of a recording.", {
      exitCode: exitCodes.usage,
      code: "pattern_missing",
      fix: "Add --pattern for the file names, or --sidecar '{name}.json' for a JSON file next to each recording.",
    });
  const { recipe, mapping: mappingFile, map: maps, pattern, campaign, timeFormat, timeZone, ambiguous } = options;
  const mapping = await loadMapping({ recipe, mappingFile, maps });
  const hasSidecar = options.sidecar !== undefined;
  const agentsFile = options.agents;
  return openPlan({ mapping, pattern, hasSidecar, agentsFile, campaign, timeFormat, timeZone, ambiguous });
}

async function findFolder(folder: string): Promise<string> {
  const root = await realpath(folder).catch(() => undefined);
  if (root !== undefined && (await stat(root)).isDirectory()) return root;
  throw new CommandError(`No such folder: ${folder}.`, {
    exitCode: exitCodes.usage,
    code: "folder_missing",
    fix: "Pass the folder that the phone system writes to.",
  });
}

/** Two watchers would store each call once, but move and mark each other's files. */
async function lock(root: string): Promise<() => Promise<void>> {
  const file = join(root, ".hearback-watch.lock");
  try {
    return await acquireLock(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const usage = { exitCode: exitCodes.usage } as const;
    if (error instanceof ImportStopped)
      throw new CommandError(`Another watcher is running in ${root}.`, {
        ...usage,
        code: "folder_locked",
        fix: `Stop it first. If none is running on this machine, delete ${file}.`,
      });
    if (code === "EACCES" || code === "EROFS" || code === "EPERM")
      throw new CommandError(`Cannot write to ${root} (${code}).`, {
        ...usage,
        code: "folder_not_writable",
        fix: "Give this user write permission: the watcher keeps a lock file and markers next to the recordings.",
      });
    throw error;
  }
}
