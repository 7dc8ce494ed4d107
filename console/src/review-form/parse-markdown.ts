/** Inline Markdown. Links lead to http, https and mailto addresses only. */
export type Inline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "bold" | "italic"; readonly content: readonly Inline[] }
  | { readonly kind: "link"; readonly href: string; readonly content: readonly Inline[] };

export type Block =
  | { readonly kind: "paragraph"; readonly lines: readonly (readonly Inline[])[] }
  | { readonly kind: "list"; readonly ordered: boolean; readonly items: readonly (readonly Inline[])[] };

const bullet = /^\s{0,3}(?:[-*+]|(\d{1,3})[.)])\s+(.*)$/;

/** The part of Markdown that guidance needs: paragraphs, lists, bold, italic, code and links. HTML is text. */
export function parseMarkdown(text: string): Block[] {
  const blocks: Block[] = [];
  for (const chunk of text.replaceAll("\r\n", "\n").split(/\n\s*\n/)) {
    for (const line of chunk.split("\n").filter((each) => each.trim() !== "")) addLine(blocks, line);
    blocks.push({ kind: "paragraph", lines: [] });
  }
  return blocks.filter((block) => block.kind === "list" || block.lines.length > 0);
}

function addLine(blocks: Block[], line: string): void {
  const last = blocks.at(-1);
  const [, number, item] = bullet.exec(line) ?? [];
  if (item !== undefined) {
    const ordered = number !== undefined;
    const content = parseInline(item);
    const previous = last?.kind === "paragraph" && last.lines.length === 0 ? blocks.at(-2) : last;
    if (previous?.kind === "list" && previous.ordered === ordered)
      blocks.splice(blocks.indexOf(previous), blocks.length, { ...previous, items: [...previous.items, content] });
    else blocks.push({ kind: "list", ordered, items: [content] });
    return;
  }
  const content = parseInline(line.trim());
  if (last?.kind === "paragraph") blocks.splice(-1, 1, { kind: "paragraph", lines: [...last.lines, content] });
  else blocks.push({ kind: "paragraph", lines: [content] });
}

const inline =
  /`([^`]+)`|\*\*(\S(?:.*?\S)?)\*\*|(?<![\w*])\*([^\s*](?:[^*]*[^\s*])?)\*|(?<!\w)_([^\s_](?:[^_]*[^\s_])?)_(?!\w)|\[([^\]]+)\]\(([^()\s]+)\)/;

function parseInline(text: string): Inline[] {
  const match = inline.exec(text);
  if (!match) return text === "" ? [] : [{ kind: "text", text }];
  const [whole, code, bold, star, underscore, label, href] = match;
  const found = (): Inline => {
    if (code !== undefined) return { kind: "code", text: code };
    if (bold !== undefined) return { kind: "bold", content: parseInline(bold) };
    const italic = star ?? underscore;
    if (italic !== undefined) return { kind: "italic", content: parseInline(italic) };
    if (label !== undefined && href !== undefined && /^(https?:\/\/|mailto:)/i.test(href))
      return { kind: "link", href, content: parseInline(label) };
    return { kind: "text", text: whole };
  };
  return [...parseInline(text.slice(0, match.index)), found(), ...parseInline(text.slice(match.index + whole.length))];
}
