import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compress } from "./build/compress.ts";
import { noteFirst } from "./build/note-first.ts";
import { readAtOnce } from "./build/read-at-once.ts";

const api = process.env.HEARBACK_URL ?? "http://127.0.0.1:8080";
/** What the console asks of the service; everything else under this address is the console itself. */
const asked =
  "^/(session|sessions|users|campaigns|calls|erasures|holds|audit|events|webhooks|keys|workspace|limits|imports|errors|docs|openapi.json)(/|[?]|$)";

/**
 * What many pages share, as few files: each one is a journey, and work for the browser before anything is seen. Every page
 * behind the sign-in has the basics; what floats above a page comes with those that have any.
 */
const shared = {
  basics: [
    "@mantine/core/esm/components/(AppShell|NavLink|Collapse|Burger|ActionIcon|Input|InputBase|TextInput)/",
    "@mantine/core/esm/components/(Divider|Code|Checkbox|Badge|SimpleGrid|Portal|Combobox/ComboboxChevron)/",
    "@mantine/core/esm/utils/(InlineInput|InputsGroupFieldset)/",
    "@mantine/hooks/esm/use-(disclosure|debounced|clipboard)",
    "react-remove-scroll",
    "react-query/.*use(Base|Infinite)?Quer",
    "console/src/shell/(?!texts|open-)",
    "console/src/ui/(copy-button|drop-down[.]|empty-state|loading-rows|more-rows|shortcuts[.]|tell|use-format|when|zoned-time)",
    "console/src/uploads/owner",
  ],
  floating: ["@floating-ui/", "@mantine/core/esm/components/Tooltip/", "@mantine/core/esm/utils/Floating/"],
};

export default defineConfig({
  base: "/console/",
  plugins: [react(), noteFirst(), readAtOnce(), compress()],
  // The server puts a new one into every page that it sends.
  html: { cspNonce: "__NONCE__" },
  build: {
    outDir: "dist/site",
    emptyOutDir: true,
    target: "es2023",
    // Nothing is put into the page itself: the content-security policy would refuse it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What the page itself asks for, as one file.
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
  // The service sees the address that the browser sees: its rule about origins holds here, too.
  server: { host: "127.0.0.1", strictPort: true, proxy: { [asked]: { target: api, changeOrigin: false } } },
});
