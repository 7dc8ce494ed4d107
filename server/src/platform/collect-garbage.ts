import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");

/** Has V8 collect now what nothing refers to: all of it, or only what is young. */
export const collectGarbage = runInNewContext("gc") as (options?: { type: "minor" }) => void;
