import type { SaidSide } from "./filters/call-filters.ts";
import type { TextKey } from "./texts.ts";

export const saidByTexts: Readonly<Record<SaidSide, TextKey>> = {
  agent: "saidByAgent",
  customer: "saidByCustomer",
  left: "saidByLeft",
  right: "saidByRight",
};
