import { setFlagsFromString } from "node:v8";

/*
 * A worker reads long lists in batches, for which V8 would grow the young generation to 100 MB and more and keep it. Its size is
 * fixed before anything else is loaded.
 */
if (process.argv[2] === "worker") setFlagsFromString("--semi-space-growth-factor=1");
