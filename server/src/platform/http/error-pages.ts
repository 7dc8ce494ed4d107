import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { etagOf, type StaticBody } from "./body/static-body.ts";

const escapeHtml = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
/** The guides are not served, so a link to one becomes its path. */
const namePath = (text: string) =>
  text.replace(/\[([^\]]+)\]\(([\w-]+\.md)[^)]*\)/g, (_, label: string, file: string) =>
    label === file ? `\`docs/${file}\`` : `${label} (\`docs/${file}\`)`,
  );
const inline = (text: string) => escapeHtml(namePath(text)).replace(/`([^`]+)`/g, "<code>$1</code>");

function paragraphs(markdown: string): string {
  return markdown
    .trim()
    .split(/\n{2,}/)
    .map((block) => {
      if (!block.startsWith("- ")) return `<p>${inline(block.replace(/\n/g, " "))}</p>`;
      const items = block.split(/\n(?=- )/).map((item) => `<li>${inline(item.slice(2).replace(/\n\s*/g, " "))}</li>`);
      return `<ul>${items.join("")}</ul>`;
    })
    .join("\n");
}

const style = `
  :root { color-scheme: light dark; }
  body { font: 1rem/1.6 system-ui, sans-serif; max-width: 42rem; margin: 4rem auto; padding: 0 1.5rem; }
  h1 { font: 600 1.4rem/1.3 ui-monospace, monospace; overflow-wrap: anywhere; }
  code { font-family: ui-monospace, monospace; background: color-mix(in srgb, currentColor 10%, transparent); padding: .1em .3em; border-radius: .25em; }
  nav { margin-top: 3rem; font-size: .9rem; }
`;

/** Content security policy: error pages load nothing but this style sheet. */
export const errorPagePolicy = `default-src 'none'; style-src 'sha256-${hash("sha256", style, "base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const page = (code: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${code} · Hearback</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${code}</h1>
${body}
</main>
<nav><a href="/docs">API reference</a></nav>
</body>
</html>
`;

/** Builds a page for each "### `code`" section of docs/errors.md. */
export async function readErrorPages(path: string): Promise<Map<string, StaticBody>> {
  const [, ...parts] = (await readFile(path, "utf8")).split(/^### `/m);
  return new Map(
    parts.map((part) => {
      const code = part.slice(0, part.indexOf("`"));
      const text = part.slice(part.indexOf("\n")).split(/^## /m)[0] ?? "";
      const body = Buffer.from(page(code, paragraphs(text)));
      return [code, { type: "text/html; charset=utf-8", body, etag: etagOf(body), encoded: {} }];
    }),
  );
}
