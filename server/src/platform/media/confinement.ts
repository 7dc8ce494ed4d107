import { execFile } from "node:child_process";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { getuid } from "node:process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** How a tool is kept from everything but its job's folder. */
export interface Confinement {
  readonly name: "sandbox" | "no network" | "limits only";
  /** What stands before the tool's own words. */
  prefix(folder: string): string[];
  /** The job's folder as the tool sees it. */
  inside(folder: string): string;
  /** Whose the job's folder must be; absent: the worker's own. */
  readonly owner: number | undefined;
}

/** Nobody, on every Linux. */
const nobody = 65_534;
const asNobody = ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", "--no-new-privs"];

/** As nobody where the worker may become nobody, as itself where it may not, or where nobody cannot reach the folder. */
function fromStrictest(): Confinement[] {
  const own = confinements(false);
  const dropped = getuid?.() === 0 ? confinements(true) : [];
  return own.flatMap((confinement, index) => [...(dropped[index] ? [dropped[index]] : []), confinement]);
}

function confinements(dropRights: boolean): Confinement[] {
  const owner = dropRights ? nobody : undefined;
  const dropped = dropRights ? asNobody : [];
  const asItIs = (folder: string) => folder;
  return [
    {
      // It sees /usr and its own folder, has no network, no rights, and no other process.
      name: "sandbox",
      prefix: (folder) => [
        ...dropped,
        "bwrap",
        // The tool is the first process of its own: all others end with it, and its time is counted as the worker's.
        ...["--unshare-user", "--unshare-pid", "--as-pid-1", "--unshare-net", "--unshare-ipc", "--unshare-uts"],
        ...["--die-with-parent", "--new-session"],
        ...["--cap-drop", "ALL", "--clearenv", "--setenv", "PATH", "/usr/local/bin:/usr/bin"],
        ...["--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64"],
        ...["--symlink", "usr/bin", "/bin", "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"],
        ...["--ro-bind-try", "/etc/alternatives", "/etc/alternatives", "--dev", "/dev"],
        ...["--bind", folder, "/job", "--chdir", "/job", "--"],
      ],
      inside: () => "/job",
      owner,
    },
    {
      name: "no network",
      prefix: () => [
        ...["unshare", "--net", ...(dropRights ? [] : ["--map-root-user"]), "--"],
        ...(dropRights ? asNobody : ["setpriv"]),
        ...["--pdeathsig", "KILL"],
      ],
      inside: asItIs,
      owner,
    },
    {
      name: "limits only",
      prefix: () => [...(dropRights ? asNobody : ["setpriv"]), "--pdeathsig", "KILL"],
      inside: asItIs,
      owner,
    },
  ];
}

/** The strictest confinement that this machine allows, found by trying: containers often forbid the stricter ones. */
export async function findConfinement(scratch: string): Promise<Confinement> {
  const failures: unknown[] = [];
  for (const confinement of fromStrictest()) {
    const folder = await mkdtemp(join(scratch, "trial-"));
    try {
      if (confinement.owner !== undefined) await chown(folder, confinement.owner, confinement.owner);
      const [command = "", ...words] = confinement.prefix(folder);
      await run(command, [...words, "touch", join(confinement.inside(folder), "trial")], { timeout: 10_000 });
      return confinement;
    } catch (error) {
      failures.push(error);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  throw new AggregateError(failures, `no tool can be run in ${scratch}: is setpriv (util-linux) installed?`);
}
