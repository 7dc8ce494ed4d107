import { realpath, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import type { Command } from "commander";
import { ImportStopped } from "../import/import-stopped.ts";
import { takeLock } from "../import/journal-lock.ts";
import { openPace } from "../import/pace.ts";
import { loadMapping } from "../manifest/load-mapping.ts";
import { CommandError } from "../terminal/command-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { harmless } from "../terminal/text-width.ts";
import type { Done } from "../watch/finish.ts";
import type { Plan } from "../watch/import-pass.ts";
import { openPlan } from "../watch/read-plan.ts";
import { tellEvent, type WatchEvent } from "../watch/watch-event.ts";
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
  readonly atOnce: number;
  readonly once?: boolean;
}

/** Watches a folder until it is told to stop. */
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
    throw new CommandError("What is done, or failed, cannot be moved into the folder that is watched.", {
      exitCode: exitCodes.usage,
      code: "folder_same",
      fix: "Name another folder; it may lie in that one.",
    });
  const plan = await readOptions(options);
  // The pace repeats for all requests together; while it is out of reach the service is waited for, however long.
  const { client, url } = await context.connect(command, { retries: { attempts: 1 } });
  const pace = openPace({ most: options.atOnce, patienceMs: Number.POSITIVE_INFINITY });
  const tell = (event: WatchEvent) => context.print(json ? JSON.stringify(event) : harmless(tellEvent(event)));
  const unlock = await lock(root);
  try {
    tell({ event: "started", detail: `watching ${root} for ${url}` });
    const status = await watchFolder({
      root,
      except: new Set([moved, failedFolder].flatMap((path) => (path === undefined ? [] : [relative(root, path)]))),
      client,
      pace,
      plan,
      done,
      failedFolder,
      sidecar: options.sidecar,
      settleMs: options.settle * 1000,
      everyMs: options.every * 1000,
      once: options.once === true,
      createAgents: options.createAgents === true,
      statusFile: options.status === undefined ? undefined : resolve(options.status),
      tell,
      signal,
    });
    const { imported, present, failed, waiting } = status;
    tell({
      event: "ended",
      detail: `${imported} imported, ${present} there before, ${failed} failed, ${waiting} waiting`,
    });
    if (options.once && failed > 0) context.endWith(exitCodes.someFailed);
  } catch (error) {
    if (!(error instanceof ImportStopped)) throw error;
    throw new CommandError(error.message, { exitCode: error.exitCode, code: "stopped" }, { cause: error });
  } finally {
    await unlock();
  }
}

async function readOptions(options: WatchCommandOptions): Promise<Plan> {
  if ([options.pattern, options.sidecar, options.recipe, options.mapping].every((said) => said === undefined))
    throw new CommandError("Nothing says who spoke in a recording, and when.", {
      exitCode: exitCodes.usage,
      code: "pattern_missing",
      fix: "Say what the names of the files mean (--pattern), or that a JSON file lies beside each (--sidecar '{name}.json').",
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
  throw new CommandError(`There is no folder ${folder}.`, {
    exitCode: exitCodes.usage,
    code: "folder_missing",
    fix: "Name the folder into which the telephone system writes.",
  });
}

/** Two watchers of one folder would do no harm to the calls, but to each other's files. */
async function lock(root: string): Promise<() => Promise<void>> {
  const file = join(root, ".hearback-watch.lock");
  try {
    return await takeLock(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const usage = { exitCode: exitCodes.usage } as const;
    if (error instanceof ImportStopped)
      throw new CommandError(`Another watcher is at work in ${root}.`, {
        ...usage,
        code: "folder_locked",
        fix: `Stop it first; if there is none on this machine, delete ${file}.`,
      });
    if (code === "EACCES" || code === "EROFS" || code === "EPERM")
      throw new CommandError(`Nothing can be written into ${root} (${code}).`, {
        ...usage,
        code: "folder_not_writable",
        fix: "Give this user the right to write there: a lock, and notes beside the recordings, are kept in it.",
      });
    throw error;
  }
}
