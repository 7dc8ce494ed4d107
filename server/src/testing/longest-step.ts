const attempts = 3;

/** Processor milliseconds of this thread since `before`. */
function usedMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** Processor milliseconds of a fixed computation on this machine, now: 50 on a quiet one of 2026. */
function referenceMs(): number {
  const before = process.threadCpuUsage();
  const counts = new Map<string, number>();
  for (let index = 0; index < 40_000; index++) {
    const word = `w${(index * 7919) % 20_021}`;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  return usedMs(before);
}

/** The longest processor time of this thread between two iterations of the event loop while some work is done. */
async function longestStepMs(work: () => unknown): Promise<number> {
  let isDone = false;
  let longest = 0;
  let before = process.threadCpuUsage();
  const step = () => {
    longest = Math.max(longest, usedMs(before));
    before = process.threadCpuUsage();
    if (!isDone) setImmediate(step);
  };
  setImmediate(step);
  await work();
  isDone = true;
  step();
  return longest;
}

/**
 * The longest step of some work as a multiple of a fixed computation, which takes half of the 100 ms that a step may take. The best
 * of three: slow and busy machines need more processor time for both.
 */
export async function longestStep(work: () => unknown): Promise<number> {
  const ratios: number[] = [];
  for (let attempt = 0; attempt < attempts; attempt++) {
    // Once before, for the compiler.
    referenceMs();
    const reference = referenceMs();
    ratios.push((await longestStepMs(work)) / reference);
  }
  return Math.min(...ratios);
}
