import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { arch } from "node:process";
import { afterAll, expect, test, vi } from "vitest";
import { allowedSyscalls } from "./allowed-syscalls.ts";
import { runTool } from "./run-tool.ts";
import { findSandbox } from "./sandbox.ts";
import { openScratch } from "./scratch.ts";
import { makeSyscallFilter } from "./syscall-filter.ts";

const root = await mkdtemp(join(tmpdir(), "hearback-filter-"));
// Tools run as nobody and must be able to traverse the folder. The process limit does not apply to root.
await chmod(root, 0o711);
const scratch = await openScratch(root, { required: true });
afterAll(async () => {
  await scratch.close();
  await rm(root, { recursive: true });
});
const limits = { cpuSeconds: 5, memoryBytes: 256 * 1024 * 1024, fileBytes: 1024 * 1024 };

async function inSandbox(...args: string[]): Promise<string> {
  return scratch.withFolder(async (folder) => {
    let output = "";
    const onOutput = (chunk: Buffer) => {
      output += chunk.toString();
    };
    const { stderr } = await runTool({ args, sandbox: scratch.sandbox, folder, limits, onOutput });
    return output + stderr;
  });
}

/** System call numbers on x86_64 and aarch64, and the first arguments. */
const forbidden: [name: string, numbers: [number, number], ...args: number[]][] = [
  ["ptrace", [101, 117], 0],
  ["mount", [165, 40], 0],
  ["umount2", [166, 39], 0],
  ["pivot_root", [155, 41], 0],
  ["chroot", [161, 51], 0],
  ["unshare", [272, 97], 0x10000000],
  ["setns", [308, 268], 0],
  ["clone into a user namespace", [56, 220], 0x10000011],
  ["clone3", [435, 435], 0],
  ["bpf", [321, 280], 0],
  ["perf_event_open", [298, 241], 0],
  ["keyctl", [250, 219], 0],
  ["add_key", [248, 217], 0],
  ["io_uring_setup", [425, 425], 1],
  ["userfaultfd", [323, 282], 0],
  ["kexec_load", [246, 104], 0],
  ["init_module", [175, 105], 0],
  ["process_vm_readv", [310, 270], 0],
  ["personality", [135, 92], 0xffffffff],
  ["socket of AF_INET", [41, 198], 2, 1],
  ["socket of AF_NETLINK", [41, 198], 16, 3],
  ["socket of AF_VSOCK", [41, 198], 40, 1],
  ["socket of AF_ALG", [41, 198], 38, 5],
  ["symlinkat", [266, 36], 0],
  ["mknodat", [259, 33], 0],
  ["ioctl that types into a terminal", [16, 29], 1, 0x5412],
];

test.each(forbidden)("the sandbox blocks %s", async (_, numbers, ...args) => {
  const number = numbers[arch === "arm64" ? 1 : 0];
  const callArgs = [number, ...args, 0, 0, 0].slice(0, 6).join(", ");
  const output = await inSandbox("perl", "-e", `$! = 0; print syscall(${callArgs}), " ", $!+0`);
  // EPERM or ENOSYS.
  expect(output).toMatch(/^-1 (1|38)$/);
});

test("the sandbox allows processes, pipes and files", async () => {
  expect(await inSandbox("sh", "-c", "echo a > b; cat b | cat; rm b; id -u")).toMatch(/^a\n\d+\n$/);
});

test("limits the number of processes", async () => {
  const output = await inSandbox("sh", "-c", "for n in $(seq 1 300); do sleep 1 & done; echo all of them");
  expect(output).toMatch(/fork/i);
  expect(output).not.toContain("all of them");
});

/** Interprets a classic BPF program for one system call, as the kernel does. */
function runFilter(program: Buffer, call: { arch: number; number: number; args?: number[] }): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.number, 0);
  data.writeUInt32LE(call.arch >>> 0, 4);
  for (const [index, value] of (call.args ?? []).entries()) data.writeUInt32LE(value >>> 0, 16 + index * 8);
  let loaded = 0;
  for (let at = 0; at < program.length / 8; at++) {
    const code = program.readUInt16LE(at * 8);
    const operand = program.readUInt32LE(at * 8 + 4);
    const jump = (holds: boolean) => {
      at += program.readUInt8(at * 8 + (holds ? 2 : 3));
    };
    if (code === 0x20) loaded = data.readUInt32LE(operand);
    else if (code === 0x15) jump(loaded === operand);
    else if (code === 0x25) jump(loaded > operand);
    else if (code === 0x35) jump(loaded >= operand);
    else if (code === 0x45) jump((loaded & operand) !== 0);
    else if (code === 0x06) return operand;
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error("the program ends without a return instruction");
}

const allow = 0x7fff0000;

test.each([
  ["x64", 0xc000003e, { read: 0, execve: 59, clone: 56, mount: 165, socket: 41 }],
  ["arm64", 0xc00000b7, { read: 63, execve: 221, clone: 220, mount: 40, socket: 198 }],
])("the filter for %s allows and blocks the right calls", (architecture, audit, numbers) => {
  const filter = makeSyscallFilter(architecture) ?? Buffer.alloc(0);
  const verdict = (number: number, ...args: number[]) => runFilter(filter, { arch: audit, number, args });
  expect([verdict(numbers.read), verdict(numbers.execve), verdict(numbers.clone, 0x3d0f00)]).toEqual([
    allow,
    allow,
    allow,
  ]);
  expect([verdict(numbers.mount), verdict(numbers.socket), verdict(1_000)]).toEqual([0x50026, 0x50026, 0x50026]);
  expect(verdict(numbers.clone, 0x10000011)).toBe(0x50001);
  // x32 calls, and calls of another architecture.
  expect(verdict(0x40000000 + numbers.read)).toBe(0x50026);
  expect(runFilter(filter, { arch: 0x40000003, number: numbers.read })).toBe(0x80000000);
});

test("without a working sandbox, fails with the reason and the fix", async () => {
  const folder = join(root, "without");
  await mkdtemp(folder);
  await writeFile(join(root, "bwrap"), "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2; exit 1\n");
  await chmod(join(root, "bwrap"), 0o755);
  vi.stubEnv("PATH", `${root}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`);
  try {
    await expect(findSandbox(root, { required: true })).rejects.toThrow(
      /No permissions to create new namespace.*MEDIA_SANDBOX=auto/s,
    );
    expect((await findSandbox(root, { required: false })).name).not.toBe("sandbox");
  } finally {
    vi.unstubAllEnvs();
  }
});

test("the worker container's seccomp profile allows what the tools and bubblewrap need, and no dangerous calls", async () => {
  const file = new URL("../../../../../deploy/worker-seccomp.json", import.meta.url);
  const profile = JSON.parse(await readFile(file, "utf8")) as {
    defaultAction: string;
    syscalls: { names: string[]; action: string; args?: unknown[] }[];
  };
  const allowed = profile.syscalls.filter(({ action, args }) => action === "SCMP_ACT_ALLOW" && !args);
  const names = new Set(allowed.flatMap(({ names: these }) => these));
  expect(profile.defaultAction).toBe("SCMP_ACT_ERRNO");
  const needed = [...Object.keys(allowedSyscalls), "ioctl", "clone", "unshare", "mount", "umount2", "pivot_root"];
  expect(needed.filter((name) => !names.has(name))).toEqual([]);
  const never =
    "ptrace bpf perf_event_open keyctl add_key io_uring_setup userfaultfd kexec_load init_module finit_module";
  const nor =
    "process_vm_readv open_by_handle_at setns chroot reboot swapon clone3 socket mount_setattr fsopen personality";
  expect(`${never} ${nor}`.split(" ").filter((name) => names.has(name))).toEqual([]);
});
