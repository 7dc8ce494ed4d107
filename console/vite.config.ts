import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { apiPaths } from "./build/api-paths.ts";
import { compress } from "./build/compress.ts";
import { eagerCompile } from "./build/eager-compile.ts";
import { preloadManifest } from "./build/preload-manifest.ts";

const api = process.env.HEARBACK_URL ?? "http://127.0.0.1:8080";

/**
 * Shared code in few chunks, because each chunk costs a request before the first paint. `basics` is used by all pages
 * behind the sign-in, `floating` by pages with popovers.
 */
const shared = {
  basics: [
    "@mantine/core/esm/components/(AppShell|NavLink|Collapse|Burger|ActionIcon|Input|InputBase|TextInput)/",
    "@mantine/core/esm/components/(Divider|Code|Checkbox|Badge|SimpleGrid|Portal|Combobox/ComboboxChevron)/",
    "@mantine/core/esm/utils/(InlineInput|InputsGroupFieldset)/",
    "@mantine/hooks/esm/use-(disclosure|debounced|clipboard)",
    "react-remove-scroll",
    "react-query/.*use(Base|Infinite)?Quer",
    "console/src/shell/(?!open-|go-to-list|find-destinations|.*[.](json|css)$)",
    "console/src/ui/[a-z]+/(copy-button|drop-down[.]|empty-state|loading-rows|more-rows|shortcuts[.]|toast[.]|use-format|timestamp|zoned-time)",
    "console/src/uploads/owner",
    "console/src/reviews/waiting",
    "console/src/queue/queue-query",
  ],
  floating: ["@floating-ui/", "@mantine/core/esm/components/Tooltip/", "@mantine/core/esm/utils/Floating/"],
};

export default defineConfig(({ command }) => ({
  base: "/console/",
  plugins: [react(), preloadManifest(), eagerCompile(), compress()],
  // Replaced by the server with a new nonce per page.
  html: { cspNonce: "__NONCE__" },
  json: { namedExports: false, stringify: true },
  build: {
    outDir: "dist/site",
    emptyOutDir: true,
    target: "es2023",
    // The assets are compressed by `compress`; Vite would compress them again, only to print their sizes.
    reportCompressedSize: false,
    // The CSP forbids inlined assets.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Entry code in one chunk.
            { name: "start", tags: ["$initial"], priority: 2 },
            ...Object.entries(shared).map(([name, parts]) => ({
              name,
              test: new RegExp(parts.join("|")),
              priority: 1,
            })),
          ],
        },
      },
    },
  },
  // Keep the original host, so that the server's CSRF check passes.
  server: {
    host: "127.0.0.1",
    strictPort: true,
    // A build has no proxy, and in an image no openapi.json.
    ...(command === "serve" && { proxy: { [apiPaths()]: { target: api, changeOrigin: false } } }),
  },
}));
