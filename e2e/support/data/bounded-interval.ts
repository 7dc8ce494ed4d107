/**
 * Ends of Wilson's interval with continuity correction, from its definition: |p − x| − 1/2N = q·√(x(1 − x)/N). For a statistic with
 * this standard error between 0 and 1, N is p(1 − p)/error².
 */
export function wilsonEnds(share: number, size: number, quantile: number): readonly [number, number] {
  const end = (bound: 0 | 1) => {
    if (Math.abs(share - bound) <= 1 / (2 * size)) return bound;
    let [near, far] = [share, bound as number];
    for (let step = 0; step < 80; step++) {
      const x = (near + far) / 2;
      if (Math.abs(share - x) - 1 / (2 * size) < quantile * Math.sqrt((x * (1 - x)) / size)) near = x;
      else far = x;
    }
    return near;
  };
  return [end(0), end(1)];
}

export const boundedEnds = (share: number, error: number, quantile: number): readonly [number, number] =>
  wilsonEnds(share, Math.max(1, (share * (1 - share)) / error ** 2), quantile);
