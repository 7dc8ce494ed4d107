import type { AuditEntryBody } from "@hearback/sdk";
import { Text } from "@mantine/core";
import { createElement, Fragment, type ReactNode } from "react";
import { TextLink } from "../ui/text-link.tsx";
import { actionTexts, isAuditAction } from "./actions.ts";
import { actorText } from "./actor.tsx";
import type { Names } from "./names.ts";
import { subjectKinds, subjectText } from "./subjects.ts";
import { useTexts } from "./texts.ts";

interface SentenceProps {
  readonly entry: AuditEntryBody;
  readonly names: Names;
}

/** Placeholders for the two nodes. Word order differs between languages. */
const marks = { who: "\uE000", what: "\uE001" };

/** An entry as a sentence, with a link to its subject. */
export function Sentence({ entry, names }: SentenceProps) {
  const { t } = useTexts();
  const { action, actor, subject } = entry;
  const sentence = isAuditAction(action)
    ? t(actionTexts(action).sentence, marks)
    : t("unknownAction", { ...marks, action });
  const parts: Readonly<Record<string, ReactNode>> = {
    [marks.who]: (
      <Text span inherit fw={600}>
        {actorText(actor, names, t)}
      </Text>
    ),
    [marks.what]: <SubjectLink entry={entry} text={subjectText(subject, names, t)} names={names} />,
  };
  return createElement(Fragment, null, ...sentence.split(/([\uE000\uE001])/).map((part) => parts[part] ?? part));
}

function SubjectLink({ entry: { action, subject }, text, names }: SentenceProps & { readonly text: string }) {
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
