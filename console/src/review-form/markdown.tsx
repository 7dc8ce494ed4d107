import { Anchor, Code } from "@mantine/core";
import { memo } from "react";
import { type Inline, parseMarkdown } from "./parse-markdown.ts";
import classes from "./review-form.module.css";

/** Markdown as React elements: HTML in it is shown as text. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  return (
    <div className={classes.markdown}>
      {parseMarkdown(text).map((block, index) => {
        const key = `${index}`;
        if (block.kind === "paragraph")
          return (
            <p key={key}>
              {block.lines.map((line, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
                <span key={at}>
                  {at > 0 && <br />}
                  <Inlines content={line} />
                </span>
              ))}
            </p>
          );
        const List = block.ordered ? "ol" : "ul";
        return (
          <List key={key}>
            {block.items.map((item, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity
              <li key={at}>
                <Inlines content={item} />
              </li>
            ))}
          </List>
        );
      })}
    </div>
  );
});

function Inlines({ content }: { readonly content: readonly Inline[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity
  return content.map((part, index) => <InlinePart key={index} part={part} />);
}

function InlinePart({ part }: { readonly part: Inline }) {
  if (part.kind === "text") return part.text;
  if (part.kind === "code") return <Code>{part.text}</Code>;
  const content = <Inlines content={part.content} />;
  if (part.kind === "link")
    return (
      <Anchor inherit href={part.href} target="_blank" rel="noreferrer noopener" underline="always">
        {content}
      </Anchor>
    );
  return part.kind === "bold" ? <strong>{content}</strong> : <em>{content}</em>;
}
