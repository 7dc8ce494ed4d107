import type { AuditEntryBody } from "@hearback/sdk";
import { Text } from "@mantine/core";
import { createElement, Fragment, type ReactNode } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { TextLink } from "../ui/text-link.tsx";
import { actionTexts, isAuditAction } from "./actions.ts";
import type { Names } from "./names.ts";
import { subjectKinds, subjectText } from "./subjects.ts";
import { whoText } from "./who.tsx";

interface SentenceProps {
  readonly entry: AuditEntryBody;
  readonly names: Names;
}

/** Stand where the two are to be put, whatever the order of words in a language. */
const marks = { who: "\uE000", what: "\uE001" };

/** An entry as somebody would say it, with a way to what it is about. */
export function Sentence({ entry, names }: SentenceProps) {
  const { t } = useTexts("audit");
  const { action, actor, subject } = entry;
  const sentence = isAuditAction(action)
    ? t(actionTexts(action).said, marks)
    : t("unknownAction", { ...marks, action });
  const parts: Readonly<Record<string, ReactNode>> = {
    [marks.who]: (
      <Text span inherit fw={600}>
        {whoText(actor, names, t)}
      </Text>
    ),
    [marks.what]: <What entry={entry} text={subjectText(subject, names, t)} names={names} />,
  };
  return createElement(Fragment, null, ...sentence.split(/([\uE000\uE001])/).map((part) => parts[part] ?? part));
}

function What({ entry: { action, subject }, text, names }: SentenceProps & { readonly text: string }) {
  const gone = action === "call.erased" || (subject.type === "webhook" && !names.webhook(subject.id));
  const page = gone ? undefined : subjectKinds[subject.type]?.page?.(subject.id);
  return page ? (
    <TextLink {...page} inherit underline="always">
      {text}
    </TextLink>
  ) : (
    text
  );
}
