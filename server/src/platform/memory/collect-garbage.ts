import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");

/** Runs V8's garbage collector now: a full collection, or only the young generation. */
export const collectGarbage = runInNewContext("gc") as (options?: { type: "minor" }) => void;
