import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { parseSettings } from "../../support/parse-settings.ts";
import { until } from "../../support/waiting.ts";

const run = promisify(execFile);

/** A machine of its own for a test: a systemd in namespaces, on a copy of a file system whose changes are discarded. */
export interface Machine {
  /** Folder that this machine sees as /run/hearback-test. */
  readonly shared: string;
  /** Runs a program as root and returns its output. */
  run(program: string, ...args: string[]): Promise<string>;
  /** Values of properties of a unit. */
  show(unit: string, ...properties: string[]): Promise<Record<string, string>>;
  /** Output of the units and of systemd itself so far. */
  log(): Promise<string>;
  stop(): Promise<void>;
}

/** Units that others depend on, empty. */
const emptyTargets = [
  "sysinit.target",
  "basic.target",
  "shutdown.target",
  "network-online.target",
  "multi-user.target",
];

/** Becomes the first process of the machine. */
const script = (folder: string, base: string) => `set -e
mount --make-rprivate /
cd ${folder}
mkdir root changes
mount -t tmpfs tmpfs changes
mkdir changes/upper changes/work
mount -t overlay overlay -o lowerdir=${base},upperdir=changes/upper,workdir=changes/work root
for path in dev sys; do mount --rbind /$path root/$path; done
umount -l root/sys/fs/cgroup && mount -t cgroup2 none root/sys/fs/cgroup
mount -t proc proc root/proc
for path in run opt etc/systemd/system; do mount -t tmpfs -o mode=755 tmpfs root/$path; done
mkdir root/run/hearback-test
mount --bind shared root/run/hearback-test
cd root
mkdir -p run/before
pivot_root . run/before
umount -l /run/before
export container=other SYSTEMD_UNIT_PATH=/etc/systemd/system:/run/hearback-test/units
exec /lib/systemd/systemd --system --unit=hearback.target --log-target=console --log-level=warning --show-status=no`;

/** Starts a machine with the file system at `base`. Its units `names` log to a file, because it has no journal. */
export async function startMachine(names: readonly string[], base = "/"): Promise<Machine> {
  const folder = await mkdtemp(join(tmpdir(), "hearback-machine-"));
  const shared = join(folder, "shared");
  const units = join(shared, "units");
  await mkdir(units, { recursive: true });
  const write = (name: string, text: string) => writeFile(join(units, name), text);
  for (const name of [...emptyTargets, "hearback.target"]) await write(name, "[Unit]\nDefaultDependencies=no\n");
  const logFile = "append:/run/hearback-test/log";
  for (const name of names) {
    await mkdir(join(units, `${name}.d`));
    await write(`${name}.d/log.conf`, `[Service]\nStandardOutput=${logFile}\nStandardError=${logFile}\n`);
  }
  const child = spawn(
    "unshare",
    [
      ...["--mount", "--pid", "--fork", "--uts", "--ipc", "--cgroup", "--kill-child"],
      "bash",
      "-c",
      script(folder, base),
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  let problems = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    problems += text;
  });
  const inside = async (program: string, ...args: string[]) => {
    const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, "utf8");
    const enter = ["--target", children.trim(), "--mount", "--pid", "--root", "--wd=/"];
    // Without the settings of this process.
    const env = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", HOME: "/root" };
    const { stdout } = await run("nsenter", [...enter, program, ...args], { timeout: 300_000, env });
    return stdout;
  };
  const log = () => readFile(join(shared, "log"), "utf8").catch(() => "");
  await until("systemd runs", 30_000, async () => {
    if (child.exitCode !== null) throw new Error(`systemd ended with code ${child.exitCode}:\n${problems}`);
    return (await inside("systemctl", "is-active", "hearback.target").catch(() => "")).trim() === "active";
  });
  return {
    shared,
    run: inside,
    async show(unit, ...properties) {
      return parseSettings(await inside("systemctl", "show", unit, ...properties.map((name) => `--property=${name}`)));
    },
    log: async () => `${problems}${await log()}`,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
