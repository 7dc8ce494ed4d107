import type { Plugin } from "vite";

/**
 * Prefixes every chunk with a hint that makes supporting browsers compile the whole file off the main thread while it
 * downloads, instead of each function at its first call. The hint must be the first line of the file.
 */
export function eagerCompile(): Plugin {
  return {
    name: "eager-compile",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === "chunk") file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
        }
      },
    },
  };
}
