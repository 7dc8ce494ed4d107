declare const process: { readonly env: Readonly<Record<string, string | undefined>> };

const scales = ["change", "nightly", "release"] as const;

/** How large this run of the tests is: for a change (`.ci/run`), nightly (`npm run nightly`), or for a release (`--full`). */
export type Scale = (typeof scales)[number];

function parseScale(value: string): Scale {
  const scale = scales.find((one) => one === value);
  if (!scale) throw new Error(`TEST_SCALE must be one of ${scales.join(", ")}, not "${value}"`);
  return scale;
}

const current = parseScale(process.env.TEST_SCALE ?? "change");

export const isRelease = current === "release";

/** Chooses a value by the scale of this run. */
export const scale = <Change, Nightly, Release>(change: Change, nightly: Nightly, release: Release) =>
  ({ change, nightly, release })[current];
