import { ServiceError, unreachable } from "@hearback/sdk";
import { howToMakeAKey, withoutKeys } from "../connection/api-key.ts";
import { ManifestError } from "../manifest/finding-codes.ts";
import { CommandError } from "../terminal/command-error.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import type { Style } from "../terminal/style.ts";
import { harmless } from "../terminal/text-width.ts";

/** Why a command ended, for a person and for a program. */
export interface Failure {
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly message: string;
  readonly fix: string | undefined;
  readonly requestId: string | undefined;
}

export function toFailure(error: unknown): Failure {
  if (error instanceof CommandError) {
    const { exitCode, code, message, fix } = error;
    return { exitCode, code, message, fix, requestId: undefined };
  }
  if (error instanceof ServiceError) return ofService(error);
  if (error instanceof ManifestError) return ofManifest(error);
  const ending = ofEnding(error);
  if (ending) return ending;
  const system = ofSystem(error);
  if (system) return system;
  return {
    exitCode: exitCodes.defect,
    code: "defect",
    message: `Something unforeseen happened: ${error instanceof Error ? error.message : String(error)}`,
    fix: "This is a defect of the command. HEARBACK_DEBUG=1 shows where; please report it.",
    requestId: undefined,
  };
}

function ofService(error: ServiceError): Failure {
  const { status, code, requestId, problem } = error;
  const parts = (problem?.errors ?? []).map(({ part, detail }) => `${part}: ${detail}`);
  const [exitCode, fix] = whatToDo(status, code, problem === undefined);
  // One wrong part is told by the detail as a whole.
  const said = status === 401 ? "The service refuses the key." : error.message;
  const message = parts.length > 1 ? [said, ...parts].join("\n") : said;
  return { exitCode, code, message, fix, requestId };
}

/** One thing that is wrong is told with its remedy; of several each has its own. */
function ofManifest({ findings }: ManifestError): Failure {
  const [first, ...more] = findings;
  const message =
    more.length === 0
      ? (first?.detail ?? "")
      : ["This cannot be used as it is.", ...findings.map(({ detail, fix }) => `${detail} ${fix}`)].join("\n");
  const fix = more.length === 0 ? first?.fix : undefined;
  return { exitCode: exitCodes.usage, code: first?.code ?? "manifest_unusable", message, fix, requestId: undefined };
}

/** Errors of other parts that know how the command ends. */
function ofEnding(error: unknown): Failure | undefined {
  if (!(error instanceof Error) || !("exitCode" in error)) return undefined;
  const exitCode = Object.values(exitCodes).find((code) => code === error.exitCode);
  if (exitCode === undefined) return undefined;
  return { exitCode, code: "stopped", message: error.message, fix: undefined, requestId: undefined };
}

function whatToDo(status: number, code: string, foreign: boolean): [ExitCode, string | undefined] {
  if (code === unreachable)
    return [exitCodes.unreachable, "Is the address right, and the service running? hearback doctor looks closer."];
  if (status === 401) return [exitCodes.refused, howToMakeAKey];
  if (status === 403)
    return [
      exitCodes.refused,
      "hearback doctor shows what this key may do; log in with another, or give it its own --profile.",
    ];
  if (status === 429 || status >= 500) return [exitCodes.unreachable, "Nothing is lost: run it again in a while."];
  if (foreign)
    return [
      exitCodes.someFailed,
      "What answered does not look like Hearback. Is the address right? hearback doctor looks closer.",
    ];
  return [exitCodes.someFailed, undefined];
}

/** Files that cannot be read or written are the user's to mend, not a defect of ours. */
function ofSystem(error: unknown): Failure | undefined {
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  if (typeof code !== "string" || typeof syscall !== "string") return undefined;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: "there is no such file or folder",
    EACCES: "you may not",
    EPERM: "you may not",
    EISDIR: "it is a folder",
    ENOTDIR: "a part of the path is no folder",
    ENOSPC: "the disk is full",
    EROFS: "the disk is read-only",
    EEXIST: "it is there already",
    EMFILE: "too many files are open",
  };
  const reason = reasons[code] ?? (error as Error).message;
  const message = `${path ?? syscall}: ${reason} (${code}).`;
  return { exitCode: exitCodes.usage, code: code.toLowerCase(), message, fix: undefined, requestId: undefined };
}

/** One calm message. */
export function tellFailure({ message, fix, requestId }: Failure, style: Style): string {
  const [first = "", ...more] = withoutKeys(message).split("\n").map(harmless);
  const lines = [
    `${style.bold(style.red("hearback:"))} ${first}`,
    ...more.map((line) => `  - ${line}`),
    ...(fix === undefined ? [] : [`  ${harmless(fix)}`]),
    ...(requestId === undefined ? [] : [style.dim(`  Request id, if you ask for help: ${harmless(requestId)}`)]),
  ];
  return `${lines.join("\n")}\n`;
}

/** The same as one JSON object. */
export const failureBody = ({ exitCode, code, message, fix, requestId }: Failure) =>
  JSON.stringify({
    error: {
      code,
      message: withoutKeys(message),
      fix: fix ?? null,
      request_id: requestId ?? null,
      exit_code: exitCode,
    },
  });
