import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin, Rolldown } from "vite";

type Bundle = Readonly<Record<string, Rolldown.OutputAsset | Rolldown.OutputChunk>>;

const source = join(import.meta.dirname, "../src");
const pageLine = /"(\/[^"]*)": lazyRouteComponent\(\(\) => import\("\.\/([^"]+)"\)/g;
/** What is asked of the service in any case. Behind the sign-in it is who is here. */
const asked: Readonly<Record<string, readonly string[]>> = {
  "/sign-in": ["/session/options"],
  "/welcome": [],
  "/calls/$id": ["/session", "/calls/$id"],
};

/**
 * Notes what each page needs at first, by its path, and the files of each language. The server names it all in the page
 * that it sends, so that it is fetched together with what would otherwise have to ask for it.
 */
export function noteFirst(): Plugin {
  return {
    name: "note-first",
    apply: "build",
    async generateBundle(_options, bundle) {
      const text = await readFile(join(source, "pages.ts"), "utf8");
      const lines = [...text.matchAll(pageLine)];
      const named = text.match(/": lazyRouteComponent/g)?.length;
      if (lines.length !== named) throw new Error(`Of ${named} pages in src/pages.ts, ${lines.length} are on a line.`);
      const pages = lines.map(([, path = "", module = ""]) => {
        const asks = asked[path] ?? ["/session"];
        const modules = asks.includes("/session") ? ["shell/shell.tsx", module] : [module];
        const files = new Set(modules.flatMap((name) => filesOf(bundle, name)));
        return [path, { asks, files: [...files] }];
      });
      const texts = ["en", "fr"].map((language) => [language, filesOf(bundle, `i18n/${language}.ts`)]);
      const note = { pages: Object.fromEntries(pages), texts: Object.fromEntries(texts) };
      this.emitFile({ type: "asset", fileName: "first.json", source: JSON.stringify(note) });
    },
  };
}

/** The files of a module that is fetched by itself, with those that they import, but for what every page has anyway. */
function filesOf(bundle: Bundle, module: string): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const start = chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName);
  const had = new Set(start.flatMap((name) => closure(bundle, name)));
  const [chunk] = chunks.filter(({ facadeModuleId }) => facadeModuleId === join(source, module));
  if (!chunk) throw new Error(`The build has no file of src/${module}.`);
  return closure(bundle, chunk.fileName).filter((name) => !had.has(name));
}

function closure(bundle: Bundle, name: string, seen = new Set<string>()): string[] {
  const chunk = bundle[name];
  if (chunk?.type !== "chunk" || seen.has(name)) return [];
  seen.add(name);
  const styles = [...(chunk.viteMetadata?.importedCss ?? [])];
  return [name, ...styles, ...chunk.imports.flatMap((imported) => closure(bundle, imported, seen))];
}
