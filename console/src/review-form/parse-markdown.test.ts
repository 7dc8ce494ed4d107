import { expect, test } from "vitest";
import { type Block, type Inline, parseMarkdown } from "./parse-markdown.ts";

const inText = (content: readonly Inline[]): string =>
  content
    .map((part) => {
      if (part.kind === "text") return part.text;
      if (part.kind === "code") return `code(${part.text})`;
      if (part.kind === "link") return `link(${part.href} ${inText(part.content)})`;
      return `${part.kind}(${inText(part.content)})`;
    })
    .join("");
const show = (block: Block) =>
  block.kind === "list"
    ? `${block.ordered ? "ordered" : "list"}[${block.items.map(inText).join("|")}]`
    : block.lines.map(inText).join("/");

test.each([
  ["Within ten seconds.", ["Within ten seconds."]],
  ["One\nline\n\nTwo", ["One/line", "Two"]],
  ["**Both** names, *in any* order, `x`", ["bold(Both) names, italic(in any) order, code(x)"]],
  ["Counts:\n- first\n- **second**\n\n1. a\n2. b", ["Counts:", "list[first|bold(second)]", "ordered[a|b]"]],
  ["- a\n\n- b", ["list[a|b]"]],
  ["See [the page](https://example.com/a?b=1).", ["See link(https://example.com/a?b=1 the page)."]],
  ["[x](javascript:alert(1)) [y](data:text/html,a)", ["[x](javascript:alert(1)) [y](data:text/html,a)"]],
  ["<b>no</b> HTML & 2 * 3 * 4, snake_case_name", ["<b>no</b> HTML & 2 * 3 * 4, snake_case_name"]],
  ["", []],
])("%j", (text, blocks) => {
  expect(parseMarkdown(text).map(show)).toEqual(blocks);
});

test("hostile text is parsed in linear time", () => {
  const began = process.cpuUsage();
  parseMarkdown("*a ".repeat(1_300));
  parseMarkdown("[".repeat(4_000));
  parseMarkdown("**".repeat(2_000));
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1000).toBeLessThan(500);
});
