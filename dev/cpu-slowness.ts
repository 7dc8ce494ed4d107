// Prints how much longer than the reference machine this one takes for a fixed piece of work, at least 1. Processor time, so
// that other processes hardly count. Hashing and JSON, because the tests do much of both.
import { createHash } from "node:crypto";

/** On two cores without SHA instructions, quiet. */
const referenceSeconds = 1.1;

const rows = Array.from({ length: 2_000 }, (_, n) => ({ id: String(n), at: n * 1.5, tags: ["a", "b"] }));
const block = Buffer.alloc(1 << 20, 7);

function work(): number {
  const began = process.cpuUsage();
  const hash = createHash("sha256");
  for (let n = 0; n < 64; n++) hash.update(block);
  for (let n = 0; n < 300; n++) JSON.parse(JSON.stringify(JSON.parse(JSON.stringify(rows))));
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1e6;
}

const seconds = Math.min(work(), work(), work());
process.stdout.write(`${Math.max(1, seconds / referenceSeconds).toFixed(2)}\n`);
