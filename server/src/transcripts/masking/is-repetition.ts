/** Shorter ones are alike by chance. */
const leastDigits = 7;
const mostDifferent = 0.3;

/** Whether two sequences of digits are the same number, as a recogniser heard it twice. */
export function isRepetition(a: string, b: string): boolean {
  if (b.length < leastDigits) return false;
  const most = Math.floor(Math.max(a.length, b.length) * mostDifferent);
  return Math.abs(a.length - b.length) <= most && editDistance(a, b) <= most;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, replaced));
    }
    row = next;
  }
  return row[b.length] as number;
}
