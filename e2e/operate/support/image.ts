import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { parseSettings } from "../../support/parse-settings.ts";

const run = promisify(execFile);
const repository = join(import.meta.dirname, "../../..");
/** The user `node` of the image. */
const uid = 1000;

/** Image configuration in Docker's format. */
interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly WorkingDir: string;
  readonly StopSignal: string;
  readonly Labels: Readonly<Record<string, string>>;
  readonly Volumes: Readonly<Record<string, unknown>>;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

export interface Container {
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>;
  /** Standard output and error so far. */
  log(): string;
  /** Its end: the exit code. */
  readonly ended: Promise<number | null>;
}

export interface Image {
  readonly config: ImageConfig;
  /** Folder in which the files of the image can be read. */
  readonly root: string;
  readonly megabytes: number;
  /** Starts `hearback-server …` in a container of the image. */
  start(args: readonly string[], env: Record<string, string>): Promise<Container>;
  /** Runs another program in a container. */
  runProgram(
    command: readonly string[],
    env?: Record<string, string>,
  ): Promise<{ code: number | null; output: string }>;
  close(): Promise<void>;
}

async function buildah(...args: string[]): Promise<string> {
  const { stdout } = await run("buildah", args, { cwd: repository, maxBuffer: 64 * 1024 * 1024 });
  return stdout.trim();
}

/** Builds deploy/Dockerfile, and makes its files readable. */
export async function openImage(): Promise<Image> {
  const tag = "localhost/hearback:e2e";
  await run(join(repository, "dev/base-image"));
  await buildah(
    ...["build", "--isolation", "chroot", "--network", "host", "--pull=never", "--format", "docker"],
    ...["--build-arg", "VERSION=0.1.0", "--build-arg", "REVISION=e2e", "-f", "deploy/Dockerfile", "-t", tag, "."],
  );
  const container = await buildah("from", "--pull=never", tag);
  const root = await buildah("mount", container);
  const { Docker } = JSON.parse(await buildah("inspect", "--type", "image", tag));
  const config: ImageConfig = Docker.config;
  const { stdout: size } = await run("du", ["-sxm", root]);
  const volumes = await mkdtemp(join(tmpdir(), "hearback-image-"));
  await chmod(volumes, 0o755);
  const binds: string[] = [];
  for (const path of Object.keys(config.Volumes)) {
    const folder = join(volumes, path);
    await mkdir(folder);
    await chown(folder, uid, uid);
    binds.push("--bind", folder, path);
  }
  const children = new Set<ChildProcess>();

  /**
   * A process with the image as its read-only root, as user 1000 without capabilities, and as PID 1. There is no Docker
   * engine here, and buildah's own containers are chroots, in which the media sandbox cannot work.
   */
  async function launch(command: readonly string[], env: Record<string, string>): Promise<Container> {
    const settings = { ...parseSettings(config.Env.join("\n")), ...env };
    const child = spawn(
      "bwrap",
      [
        ...["--ro-bind", root, "/", "--perms", "1777", "--tmpfs", "/tmp", "--proc", "/proc", "--dev", "/dev"],
        ...binds,
        ...["--unshare-pid", "--as-pid-1", "--unshare-ipc", "--unshare-uts"],
        ...["--die-with-parent", "--info-fd", "3", "--chdir", config.WorkingDir, "--clearenv"],
        ...Object.entries(settings).flatMap(([name, value]) => ["--setenv", name, value]),
        ...["setpriv", `--reuid=${uid}`, `--regid=${uid}`, "--clear-groups", "--bounding-set=-all", "--inh-caps=-all"],
        ...command,
      ],
      { stdio: ["ignore", "pipe", "pipe", "pipe"] },
    );
    children.add(child);
    let log = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (more: string) => {
        log += more;
      });
    const ended = once(child, "close").then(([code]) => {
      children.delete(child);
      return code as number | null;
    });
    const info = child.stdio[3] as NodeJS.ReadableStream;
    const { "child-pid": pid } = JSON.parse((await text(info)) || "{}");
    return {
      log: () => log,
      ended,
      async stop() {
        process.kill(pid, "SIGTERM");
        return ended;
      },
    };
  }

  return {
    config,
    root,
    megabytes: Number.parseInt(size, 10),
    start: (args, env) => launch([...config.Entrypoint, ...args], env),
    async runProgram(command, env = {}) {
      const { ended, log } = await launch(command, env);
      return { code: await ended, output: log() };
    },
    async close() {
      for (const child of children) child.kill("SIGKILL");
      await buildah("rm", container);
      await rm(volumes, { recursive: true, force: true });
    },
  };
}
