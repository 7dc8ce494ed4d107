import { allowedSyscalls, guardedSyscalls } from "./allowed-syscalls.ts";

/** Supported architectures: audit number and column in the table of system calls. */
const architectures: Readonly<Record<string, { readonly audit: number; readonly column: 0 | 1 }>> = {
  x64: { audit: 0xc000003e, column: 0 },
  arm64: { audit: 0xc00000b7, column: 1 },
};

/** Offsets in `struct seccomp_data`. Arguments have 64 bits, lower half first on both architectures. */
const field = { number: 0, architecture: 4, argument: (index: number) => 16 + index * 8 };
const op = { load: 0x20, jumpIfEqual: 0x15, jumpIfGreater: 0x25, jumpIfAtLeast: 0x35, jumpIfAnyBit: 0x45, end: 0x06 };
const errno = (number: number) => 0x00050000 | number;
const verdict = { kill: 0x80000000, allow: 0x7fff0000, forbidden: errno(1), unknown: errno(38) };

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const namespaceFlags = 0x7e020000;
/** ioctls that inject input into a terminal. */
const [tiocsti, tioclinux] = [0x5412, 0x541c];

/** A classic BPF instruction: operation, jump offsets if true and if false, and operand. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, operand: number];

/**
 * Builds a seccomp filter (classic BPF) for `bwrap --seccomp`. Calls that are not allowed return ENOSYS, as on an older
 * kernel, so that the C library falls back, for example from clone3 to clone, whose flags can be checked. Undefined if
 * the architecture is not supported.
 */
export function makeSyscallFilter(architecture: string): Buffer | undefined {
  const known = architectures[architecture];
  if (!known) return undefined;
  const { audit, column } = known;
  const program: Instruction[] = [
    [op.load, 0, 0, field.architecture],
    [op.jumpIfEqual, 1, 0, audit],
    [op.end, 0, 0, verdict.kill],
    [op.load, 0, 0, field.number],
    // clone: allow processes and threads, but no namespaces.
    [op.jumpIfEqual, 0, 4, guardedSyscalls.clone[column]],
    [op.load, 0, 0, field.argument(0)],
    [op.jumpIfAnyBit, 0, 1, namespaceFlags],
    [op.end, 0, 0, verdict.forbidden],
    [op.end, 0, 0, verdict.allow],
    [op.jumpIfEqual, 0, 5, guardedSyscalls.ioctl[column]],
    [op.load, 0, 0, field.argument(1)],
    [op.jumpIfEqual, 1, 0, tiocsti],
    [op.jumpIfEqual, 0, 1, tioclinux],
    [op.end, 0, 0, verdict.forbidden],
    [op.end, 0, 0, verdict.allow],
  ];
  const numbers = Object.values(allowedSyscalls).flatMap((pair) => pair[column] ?? []);
  for (const [first, last] of toRanges(numbers)) {
    program.push([op.jumpIfAtLeast, 0, 2, first], [op.jumpIfGreater, 1, 0, last], [op.end, 0, 0, verdict.allow]);
  }
  program.push([op.end, 0, 0, verdict.unknown]);
  return assemble(program);
}

/** Groups numbers into ranges of consecutive values. */
function toRanges(numbers: readonly number[]): [first: number, last: number][] {
  const ranges: [number, number][] = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const run = ranges.at(-1);
    if (run && number <= run[1] + 1) run[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}

/**
 * Encodes `struct sock_filter`: 16, 8, 8 and 32 bits in native byte order, which is little-endian on both
 * architectures.
 */
function assemble(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [at, [code, ifTrue, ifFalse, operand]] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(ifTrue, at * 8 + 2);
    bytes.writeUInt8(ifFalse, at * 8 + 3);
    bytes.writeUInt32LE(operand >>> 0, at * 8 + 4);
  }
  return bytes;
}
