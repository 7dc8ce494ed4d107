import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin, Rolldown } from "vite";
import { checkScriptBudget } from "./script-budget.ts";

type Bundle = Readonly<Record<string, Rolldown.OutputAsset | Rolldown.OutputChunk>>;

const source = join(import.meta.dirname, "../src");
const pageEntry = /"(\/[^"]*)": lazyRouteComponent\(\s*\(\) => load\(import\("\.\/([^"]+)"\)/g;
/** Loaded after the first paint. */
const deferredTexts = join(source, "ui/error-texts/");
/** API requests that every page makes. Pages behind the sign-in also request the session. */
const apiRequests: Readonly<Record<string, readonly string[]>> = {
  "/sign-in": ["/session/options"],
  "/welcome": [],
  "/calls/$id": ["/session", "/calls/$id"],
};

/**
 * Writes first.json: for each path, the files and API requests the page needs, and the files of its texts by language.
 * The server adds them as preloads to the HTML page, which avoids a chain of requests.
 */
export function preloadManifest(): Plugin {
  return {
    name: "preload-manifest",
    apply: "build",
    async generateBundle(_options, bundle) {
      const text = await readFile(join(source, "pages.ts"), "utf8");
      const entries = [...text.matchAll(pageEntry)];
      const named = text.match(/": lazyRouteComponent/g)?.length;
      if (entries.length !== named)
        throw new Error(`Only ${entries.length} of ${named} pages in src/pages.ts are written as expected.`);
      const start = startFiles(bundle);
      const pages = entries.map(([, path = "", module = ""]) => {
        const asks = apiRequests[path] ?? ["/session"];
        const modules = asks.includes("/session") ? ["shell/shell.tsx", module] : [module];
        const files = [...new Set(modules.flatMap((name) => filesOf(bundle, name)))].filter((name) => !start.has(name));
        const texts = ["en", "fr"].map((language) => [language, textsOf(bundle, [...start, ...files], language)]);
        return [path, { asks, files, texts: Object.fromEntries(texts) }] as const;
      });
      const scripts = pages.map(([path, { files, texts }]) => {
        const loaded = new Set([...start, ...files, ...(texts.fr ?? [])]);
        return [path, [...loaded].filter((name) => bundle[name]?.type === "chunk")];
      });
      checkScriptBudget(Object.fromEntries(scripts), (name) => codeOf(bundle, name));
      this.emitFile({
        type: "asset",
        fileName: "first.json",
        source: JSON.stringify({ pages: Object.fromEntries(pages) }),
      });
    },
  };
}

const codeOf = (bundle: Bundle, name: string) => {
  const chunk = bundle[name];
  return chunk?.type === "chunk" ? chunk.code : "";
};

const chunksOf = (bundle: Bundle) => Object.values(bundle).filter((file) => file.type === "chunk");

/** Files of the entry, which are in the HTML page. */
function startFiles(bundle: Bundle): ReadonlySet<string> {
  const entries = chunksOf(bundle).filter(({ isEntry }) => isEntry);
  return new Set(entries.flatMap(({ fileName }) => closure(bundle, fileName)));
}

/** Files of a lazily loaded module with its imports. */
function filesOf(bundle: Bundle, module: string): string[] {
  const chunk = chunksOf(bundle).find(({ facadeModuleId }) => facadeModuleId === join(source, module));
  if (!chunk) throw new Error(`The build has no chunk for src/${module}.`);
  return closure(bundle, chunk.fileName);
}

/** Text files that these files load in this language. */
function textsOf(bundle: Bundle, files: readonly string[], language: string): string[] {
  const loaded = new Set(
    chunksOf(bundle)
      .filter(({ fileName }) => files.includes(fileName))
      .flatMap(({ dynamicImports }) => dynamicImports),
  );
  const texts = chunksOf(bundle)
    .filter(({ fileName, facadeModuleId }) => loaded.has(fileName) && facadeModuleId?.endsWith(`/${language}.json`))
    .filter(({ facadeModuleId }) => !facadeModuleId?.startsWith(deferredTexts))
    .flatMap(({ fileName }) => closure(bundle, fileName));
  if (texts.length === 0) throw new Error(`The build has no texts in ${language} for ${files[0]}.`);
  return [...new Set(texts)];
}

function closure(bundle: Bundle, name: string, seen = new Set<string>()): string[] {
  const chunk = bundle[name];
  if (chunk?.type !== "chunk" || seen.has(name)) return [];
  seen.add(name);
  const styles = [...(chunk.viteMetadata?.importedCss ?? [])];
  return [name, ...styles, ...chunk.imports.flatMap((imported) => closure(bundle, imported, seen))];
}
