import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";

const escapeHtml = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
const inline = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");

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

/** These pages are text and this one style sheet. */
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
<nav><a href="/docs">The whole interface</a></nav>
</body>
</html>
`;

/** A page for each code of docs/errors.md, whose parts begin with "### `code`". */
export async function readErrorPages(path: string): Promise<Map<string, string>> {
  const [, ...parts] = (await readFile(path, "utf8")).split(/^### `/m);
  return new Map(
    parts.map((part) => {
      const code = part.slice(0, part.indexOf("`"));
      const text = part.slice(part.indexOf("\n")).split(/^## /m)[0] ?? "";
      return [code, page(code, paragraphs(text))];
    }),
  );
}
