import { readPreferences } from "./preferences.ts";

const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
let checked: { readonly zone: string; readonly isKnown: boolean } | undefined;

/** The zone that the reader chose, if this browser knows it. What was kept may be spoilt, or from another version. */
export function chosenZone(): string | undefined {
  const zone: unknown = readPreferences().zone;
  if (typeof zone !== "string") return undefined;
  if (checked?.zone !== zone) checked = { zone, isKnown: isZone(zone) };
  return checked.isKnown ? zone : undefined;
}

/** The zone in which times are shown. */
export const readerZone = () => chosenZone() ?? browserZone;

export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
