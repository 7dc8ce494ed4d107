import { isTimeZone, openTimeZone, type TimeZone } from "@hearback/portable/time-zone";
import type { Defect } from "../finding-codes.ts";

/** Opens a time zone by its IANA name. Rejects abbreviations, which Intl accepts in part. */
export function openIanaZone(name: string): TimeZone | Defect {
  const isIanaName = name.includes("/") || /^[+-]\d\d:\d\d$/.test(name) || name === "UTC" || name === "GMT";
  return isIanaName && isTimeZone(name) ? openTimeZone(name) : unknownZone(name);
}

/** Suggestions for common abbreviations. Each is a fixed offset, so it is wrong for half of the year. */
const abbreviations: Readonly<Record<string, string>> = {
  CET: "Europe/Paris",
  CEST: "Europe/Paris",
  MET: "Europe/Berlin",
  WET: "Europe/Lisbon",
  EET: "Europe/Athens",
  BST: "Europe/London",
  EST: "America/New_York",
  EDT: "America/New_York",
  CST: "America/Chicago",
  CDT: "America/Chicago",
  MST: "America/Denver",
  MDT: "America/Denver",
  PST: "America/Los_Angeles",
  PDT: "America/Los_Angeles",
  IST: "Asia/Kolkata",
  JST: "Asia/Tokyo",
};

function unknownZone(name: string): Defect {
  const sought = name.toLowerCase().replaceAll(" ", "_");
  const similar =
    abbreviations[name.toUpperCase()] ??
    Intl.supportedValuesOf("timeZone").find((zone) => sought.length > 2 && zone.toLowerCase().includes(sought));
  const example = similar ? `for example ${similar}` : "for example Europe/Paris";
  return {
    code: "time_zone_unknown",
    detail: `Unknown time zone ${JSON.stringify(name.slice(0, 80))}.`,
    fix: `Use an IANA name with --time-zone, ${example}, or UTC.`,
  };
}
