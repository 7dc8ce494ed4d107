import type { SkipReason } from "@hearback/sdk";
import { useTexts } from "./texts.ts";

export const skipReasons = ["inaudible", "wrong_agent", "conflict", "other"] as const satisfies readonly SkipReason[];

/** Names of the reasons why calls are skipped. A newer server may have others. */
export function useSkipReason(): (reason: string) => string {
  const { find } = useTexts();
  return (reason) => find(`${reason}Reason`) ?? reason;
}
