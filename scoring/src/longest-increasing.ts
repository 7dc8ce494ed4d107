/** The positions of a longest increasing subsequence. Everything else has moved. */
export function longestIncreasing(values: readonly number[]): ReadonlySet<number> {
  const lengths: number[] = [];
  const previous: number[] = [];
  let last = -1;
  values.forEach((value, index) => {
    let best = -1;
    for (let earlier = 0; earlier < index; earlier += 1)
      if ((values[earlier] ?? 0) < value && (lengths[earlier] ?? 0) > (lengths[best] ?? 0)) best = earlier;
    lengths.push((lengths[best] ?? 0) + 1);
    previous.push(best);
    if ((lengths[index] ?? 0) > (lengths[last] ?? 0)) last = index;
  });
  const found = new Set<number>();
  for (let index = last; index >= 0; index = previous[index] ?? -1) found.add(index);
  return found;
}
