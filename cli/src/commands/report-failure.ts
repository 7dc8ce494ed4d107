import { ServiceError, unreachable } from "@hearback/sdk";
import { createKeyHint, redactKeys } from "../connection/api-key.ts";
import { ManifestError } from "../manifest/finding-codes.ts";
import { CommandError } from "../terminal/command-error.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import type { Style } from "../terminal/style.ts";
import { sanitize } from "../terminal/text-width.ts";

/** Why a command failed. Printed as text or as JSON. */
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
  if (error instanceof ServiceError) return fromServiceError(error);
  if (error instanceof ManifestError) return fromManifestError(error);
  const ending = fromExitCode(error);
  if (ending) return ending;
  const system = fromSystemError(error);
  if (system) return system;
  return {
    exitCode: exitCodes.defect,
    code: "defect",
    message: `Unexpected error: ${error instanceof Error ? error.message : String(error)}`,
    fix: "This is a bug in the command. Please report it with the output of HEARBACK_DEBUG=1.",
    requestId: undefined,
  };
}

function fromServiceError(error: ServiceError): Failure {
  const { status, code, requestId, problem } = error;
  const parts = (problem?.errors ?? []).map(({ part, detail }) => `${part}: ${detail}`);
  const [exitCode, fix] = suggestFix(status, code, problem === undefined);
  // With a single invalid part, the detail already describes it.
  const summary = status === 401 ? "The service rejected the API key." : error.message;
  const message = parts.length > 1 ? [summary, ...parts].join("\n") : summary;
  return { exitCode, code, message, fix, requestId };
}

/** A single finding becomes message and fix. Several are listed, each with its fix. */
function fromManifestError({ findings }: ManifestError): Failure {
  const [first, ...more] = findings;
  const message =
    more.length === 0
      ? (first?.detail ?? "")
      : ["The manifest has errors.", ...findings.map(({ detail, fix }) => `${detail} ${fix}`)].join("\n");
  const fix = more.length === 0 ? first?.fix : undefined;
  return { exitCode: exitCodes.usage, code: first?.code ?? "manifest_unusable", message, fix, requestId: undefined };
}

/** Errors that carry an exit code, such as ImportStopped. */
function fromExitCode(error: unknown): Failure | undefined {
  if (!(error instanceof Error) || !("exitCode" in error)) return undefined;
  const exitCode = Object.values(exitCodes).find((code) => code === error.exitCode);
  if (exitCode === undefined) return undefined;
  return { exitCode, code: "stopped", message: error.message, fix: undefined, requestId: undefined };
}

function suggestFix(status: number, code: string, foreign: boolean): [ExitCode, string | undefined] {
  if (code === unreachable)
    return [exitCodes.unreachable, "Check the URL and that the service is running. For details, run hearback doctor."];
  if (status === 401) return [exitCodes.refused, createKeyHint];
  if (status === 403)
    return [
      exitCodes.refused,
      "To see what this API key can do, run hearback doctor. To use another key, run hearback login.",
    ];
  if (status === 429 || status >= 500) return [exitCodes.unreachable, "Nothing was lost. Run the command again later."];
  if (foreign)
    return [
      exitCodes.someFailed,
      "The response does not look like Hearback. Check the URL. For details, run hearback doctor.",
    ];
  return [exitCodes.someFailed, undefined];
}

/** File system errors are usage errors, not bugs. */
function fromSystemError(error: unknown): Failure | undefined {
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  if (typeof code !== "string" || typeof syscall !== "string") return undefined;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: "no such file or folder",
    EACCES: "permission denied",
    EPERM: "operation not permitted",
    EISDIR: "is a folder",
    ENOTDIR: "part of the path is not a folder",
    ENOSPC: "the disk is full",
    EROFS: "the file system is read-only",
    EEXIST: "already exists",
    EMFILE: "too many open files",
  };
  const reason = reasons[code] ?? (error as Error).message;
  const message = `${path ?? syscall}: ${reason} (${code}).`;
  return { exitCode: exitCodes.usage, code: code.toLowerCase(), message, fix: undefined, requestId: undefined };
}

/** Formats the failure for a terminal. */
export function formatFailure({ message, fix, requestId }: Failure, style: Style): string {
  const [first = "", ...more] = redactKeys(message).split("\n").map(sanitize);
  const lines = [
    `${style.bold(style.red("hearback:"))} ${first}`,
    ...more.map((line) => `  - ${line}`),
    ...(fix === undefined ? [] : [`  ${sanitize(fix)}`]),
    ...(requestId === undefined ? [] : [style.dim(`  Request id: ${sanitize(requestId)}`)]),
  ];
  return `${lines.join("\n")}\n`;
}

/** Formats the failure as a JSON object. */
export const failureBody = ({ exitCode, code, message, fix, requestId }: Failure) =>
  JSON.stringify({
    error: {
      code,
      message: redactKeys(message),
      fix: fix ?? null,
      request_id: requestId ?? null,
      exit_code: exitCode,
    },
  });
