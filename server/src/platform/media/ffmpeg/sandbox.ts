import { type ChildProcess, spawn } from "node:child_process";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { release } from "node:os";
import { join } from "node:path";
import { arch, getuid } from "node:process";
import { Writable } from "node:stream";
import { ConfigError } from "../../config.ts";
import { makeSyscallFilter } from "./syscall-filter.ts";

/** Isolation of a tool from everything but its job's folder. */
export interface Sandbox {
  readonly name: "sandbox" | "no network" | "limits only";
  /** Command prefix that starts the tool in the sandbox. */
  prefix(folder: string): string[];
  /** The job's folder as the tool sees it. */
  inside(folder: string): string;
  /** Required owner (uid) of the job's folder. Undefined: the worker's user. */
  readonly owner: number | undefined;
  /** The seccomp filter that the prefix expects to read from file descriptor 3. */
  readonly filter: Buffer | undefined;
}

/** Uid and gid of "nobody" on Linux. */
const nobody = 65_534;
const asNobody = ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", "--no-new-privs"];

/** More threads than ffmpeg starts, and few enough to keep the machine responsive. */
const maxProcesses = 128;

/**
 * Candidates from strictest to weakest: as user nobody if the worker runs as root, else or as fallback as the worker's
 * user.
 */
function candidates(): Sandbox[] {
  const rights = getuid?.() === 0 ? [true, false] : [false];
  const weaker = rights.map((dropRights) => weakerSandboxes(dropRights));
  return [
    // --disable-userns fails in some containers; the syscall filter blocks new namespaces anyway.
    ...rights.flatMap((dropRights) => [["--disable-userns"], []].flatMap((extra) => sandbox(dropRights, extra))),
    ...weaker.map(([noNetwork]) => noNetwork),
    ...weaker.map(([, limitsOnly]) => limitsOnly),
  ];
}

/**
 * Full sandbox: only /usr and the job's folder, no network, no capabilities, no other processes, and a syscall
 * allowlist.
 */
function sandbox(dropRights: boolean, extra: readonly string[]): Sandbox[] {
  const filter = makeSyscallFilter(arch);
  if (!filter) return [];
  return [
    {
      name: "sandbox",
      prefix: (folder) => [
        ...(dropRights ? asNobody : []),
        "bwrap",
        // The tool is PID 1: all its processes end with it, and its CPU time counts as the worker's.
        ...[
          "--unshare-user",
          "--unshare-pid",
          "--as-pid-1",
          "--unshare-net",
          "--unshare-ipc",
          "--unshare-uts",
          ...extra,
        ],
        ...["--die-with-parent", "--new-session", "--seccomp", "3"],
        ...["--cap-drop", "ALL", "--clearenv", "--setenv", "PATH", "/usr/local/bin:/usr/bin"],
        ...["--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64"],
        ...["--symlink", "usr/bin", "/bin", "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"],
        ...["--ro-bind-try", "/etc/alternatives", "/etc/alternatives", "--dev", "/dev"],
        ...["--bind", folder, "/job", "--chdir", "/job", "--"],
        ...(countsPerNamespace(release()) ? ["prlimit", `--nproc=${maxProcesses}`, "--"] : []),
      ],
      inside: () => "/job",
      owner: dropRights ? nobody : undefined,
      filter,
    },
  ];
}

/**
 * Since Linux 5.14, RLIMIT_NPROC counts processes per user namespace; before, all processes of the user on the machine.
 */
function countsPerNamespace(kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split(".").map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}

function weakerSandboxes(dropRights: boolean): [Sandbox, Sandbox] {
  const common = {
    inside: (folder: string) => folder,
    owner: dropRights ? nobody : undefined,
    filter: undefined,
  };
  return [
    {
      ...common,
      name: "no network",
      prefix: () => [
        ...["unshare", "--net", ...(dropRights ? [] : ["--map-root-user"]), "--"],
        ...(dropRights ? asNobody : ["setpriv"]),
        ...["--pdeathsig", "KILL"],
      ],
    },
    {
      ...common,
      name: "limits only",
      prefix: () => [...(dropRights ? asNobody : ["setpriv"]), "--pdeathsig", "KILL"],
    },
  ];
}

/** Additional stdio entry through which the sandbox reads its filter. */
export const filterStream = ({ filter }: Sandbox): "pipe"[] => (filter ? ["pipe"] : []);

/** Sends the filter to a process that was started with `filterStream`. */
export function sendFilter(child: ChildProcess, { filter }: Sandbox): void {
  const stream = child.stdio[3];
  // If the process ends before reading it, its exit code reports the failure.
  if (filter && stream instanceof Writable) stream.on("error", () => {}).end(filter);
}

export interface SandboxChoice {
  /** Accept only the full sandbox. */
  readonly required: boolean;
}

/**
 * Returns the strictest sandbox that works on this machine. Each candidate is tried, because containers often block the
 * stricter ones.
 */
export async function findSandbox(scratch: string, { required }: SandboxChoice): Promise<Sandbox> {
  const failures: Error[] = [];
  for (const candidate of candidates().filter(({ name }) => !required || name === "sandbox")) {
    const folder = await mkdtemp(join(scratch, "trial-"));
    try {
      if (candidate.owner !== undefined) await chown(folder, candidate.owner, candidate.owner);
      await tryOut(candidate, folder);
      return candidate;
    } catch (error) {
      failures.push(error as Error);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  if (!required)
    throw new AggregateError(failures, `cannot run tools in ${scratch}; check that setpriv (util-linux) is installed`);
  throw new ConfigError(
    `The media sandbox does not work on this machine: ${failures.at(-1)?.message ?? `there is no syscall filter for ${arch}`}. ` +
      "Install bubblewrap 0.8 or later and allow user namespaces (docs/operations/install.md, The sandbox). " +
      "Or set MEDIA_SANDBOX=auto to decode with weaker isolation.",
  );
}

async function tryOut(candidate: Sandbox, folder: string): Promise<void> {
  const [command = "", ...args] = [...candidate.prefix(folder), ...["touch", join(candidate.inside(folder), "trial")]];
  const child = spawn(command, args, {
    stdio: ["ignore", "ignore", "pipe", ...filterStream(candidate)],
    timeout: 10_000,
    killSignal: "SIGKILL",
  });
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(0, 300);
  });
  sendFilter(child, candidate);
  await new Promise<void>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(stderr.trim() || `${command} failed`))));
  });
}
