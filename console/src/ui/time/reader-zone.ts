import { isTimeZone } from "@hearback/portable/time-zone";
import { readPreferences } from "../../preferences.ts";

const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
let checked: { readonly zone: string; readonly isKnown: boolean } | undefined;

/** Chosen time zone, if valid. The stored value may be corrupt or unsupported. */
export function chosenZone(): string | undefined {
  const zone: unknown = readPreferences().zone;
  if (typeof zone !== "string") return undefined;
  if (checked?.zone !== zone) checked = { zone, isKnown: isTimeZone(zone) };
  return checked.isKnown ? zone : undefined;
}

/** Time zone for displayed times. */
export const readerZone = () => chosenZone() ?? browserZone;
