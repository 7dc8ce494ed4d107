/** Prints the step, and its duration when it has ended. */
export async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  process.stdout.write(`${name} … `);
  const result = await work();
  process.stdout.write(`${((performance.now() - began) / 1000).toFixed(1)} s\n`);
  return result;
}
