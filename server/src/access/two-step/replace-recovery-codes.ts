import type { App } from "../../platform/app.ts";
import type { SessionCaller } from "../../platform/caller.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { noSecondFactor } from "../errors.ts";
import { lockFactors, recordFactorChange } from "./change-factors.ts";
import { findMethods } from "./find-factors.ts";
import { createRecoveryCodes } from "./recovery-codes.ts";

/** Creates ten new recovery codes and invalidates the old ones. */
export async function replaceRecoveryCodes(app: App, caller: SessionCaller): Promise<string[]> {
  return inWorkspace(app, caller.workspaceId, async (tx) => {
    await lockFactors(app, tx, caller);
    if ((await findMethods(tx, caller)).length === 0) throw noSecondFactor();
    const codes = await createRecoveryCodes(tx, caller);
    await recordFactorChange(app, tx, caller, "codes_created");
    return codes;
  });
}
