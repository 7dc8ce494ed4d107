import { setFlagsFromString } from "node:v8";

// Set before anything else is loaded.
const command = process.argv[2];

// A worker reads long lists in batches, for which V8 would grow the young generation to 100 MB and more and keep it.
if (command === "worker") setFlagsFromString("--semi-space-growth-factor=1");

/*
 * When the API has been idle for eight seconds, V8 would shrink its heap and let it grow by little afterwards: with a collection of
 * the old generation for every 150 imports, an import takes a third more CPU time. So the heap does not shrink, and grows to twice its
 * live size.
 */
if (command === "api") {
  setFlagsFromString("--memory-reducer-gc-count=0");
  setFlagsFromString("--heap-growing-percent=100");
}
