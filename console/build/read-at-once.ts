import type { Plugin } from "vite";

/**
 * Has browsers that know this line read the whole of a file while it comes, beside the page, instead of each function when
 * it is first called, which holds the page up. It counts only at the very beginning of a file.
 */
export function readAtOnce(): Plugin {
  return {
    name: "read-at-once",
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
