/** The longest processor time of this thread between two iterations of the event loop while some work is done. */
export async function longestStepMs(work: () => unknown): Promise<number> {
  let isDone = false;
  let longest = 0;
  let before = process.threadCpuUsage();
  const step = () => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.threadCpuUsage();
    if (!isDone) setImmediate(step);
  };
  setImmediate(step);
  await work();
  isDone = true;
  step();
  return longest;
}
