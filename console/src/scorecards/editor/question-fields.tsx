import { questionLimits } from "@hearback/scoring/question";
import { toSlug } from "@hearback/scoring/slug";
import { Button, Group, NativeSelect, Stack, Switch, TagsInput, Text, Textarea } from "@mantine/core";
import { Icon } from "../../ui/icon.tsx";
import { type DraftDocument, type DraftQuestion, type QuestionType, questionTypes } from "../draft/draft-document.ts";
import {
  changeQuestion,
  changeType,
  deleteQuestion,
  duplicateQuestion,
  hasOptions,
  neighbourOf,
  placeOf,
  renewId,
} from "../draft/draft-operations.ts";
import type { Finding } from "../draft/lint-draft.ts";
import { useTexts } from "../texts.ts";
import { BandFields } from "./band-fields.tsx";
import { ConditionFields } from "./condition-fields.tsx";
import classes from "./editor.module.css";
import { useEditor } from "./editor-context.ts";
import { FindingLine } from "./finding-list.tsx";
import { newOptions } from "./new-options.ts";
import { NumberField } from "./number-field.tsx";
import { OptionFields } from "./option-fields.tsx";
import { YesNoFields } from "./yes-no-fields.tsx";

interface QuestionFieldsProps {
  readonly question: DraftQuestion;
  readonly document: DraftDocument;
  readonly findings: readonly Finding[];
}

/** All fields of a question. */
export function QuestionFields({ question, document, findings }: QuestionFieldsProps) {
  const { t } = useTexts();
  const editor = useEditor();
  const { id, type } = question;
  const change = (part: Partial<DraftQuestion>, about?: string) =>
    editor.apply((before) => changeQuestion(before, id, part), about ? { about: `${id} ${about}` } : {});
  const knownTags = [
    ...new Set(document.sections.flatMap(({ questions }) => questions.flatMap(({ tags = [] }) => tags))),
  ];
  return (
    <Stack gap="md" className={classes.fields}>
      {findings.length > 0 && (
        <div className={classes.findings}>
          {findings.map((finding) => (
            <FindingLine key={finding.code + finding.path} document={document} finding={finding} />
          ))}
        </div>
      )}
      <Textarea
        label={t("questionTitle")}
        autosize
        minRows={1}
        maxLength={300}
        value={question.title}
        data-focus={`title:${id}`}
        // A title is one line.
        onChange={({ currentTarget }) => change({ title: currentTarget.value.replaceAll("\n", " ") }, "title")}
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      />
      <Group gap="md" align="flex-start">
        <NativeSelect
          label={t("type")}
          w={170}
          value={type}
          onChange={({ currentTarget }) => {
            const next = currentTarget.value as QuestionType;
            editor.apply((before) => changeType(before, id, next, newOptions(next, t)));
          }}
          data={questionTypes.map((value) => ({ value, label: t(`type_${value}`) }))}
        />
        {type !== "text" && (
          <NumberField
            label={t("weight")}
            placeholder={t("notScored")}
            w={120}
            min={0}
            max={questionLimits.weight}
            step={1}
            value={question.weight}
            onChange={(weight) => change({ weight }, "weight")}
          />
        )}
        <Switch
          className={classes.naSwitch}
          label={t("mayBeNotApplicable")}
          checked={question.not_applicable ?? false}
          onChange={({ currentTarget }) => change({ not_applicable: currentTarget.checked || undefined })}
        />
      </Group>
      <Text size="xs" c="dimmed" mt={-8}>
        {t(`typeDetail_${type}`)}
      </Text>
      {type === "yes_no" && <YesNoFields question={question} />}
      {hasOptions(type) && <OptionFields question={question} />}
      {type === "number" && <BandFields question={question} />}
      <Textarea
        label={t("guidance")}
        description={t("guidanceDetail")}
        autosize
        minRows={2}
        maxRows={14}
        maxLength={4000}
        value={question.guidance ?? ""}
        onChange={({ currentTarget }) => change({ guidance: currentTarget.value || undefined }, "guidance")}
      />
      <ConditionFields question={question} document={document} />
      {type !== "text" && (
        <TagsInput
          label={t("tags")}
          description={t("tagsDetail")}
          maxTags={questionLimits.tags}
          data={knownTags}
          value={[...(question.tags ?? [])]}
          splitChars={[",", ";", " "]}
          onChange={(tags) => {
            const slugs = [...new Set(tags.map(toSlug))];
            change({ tags: slugs.length > 0 ? slugs : undefined });
          }}
        />
      )}
      <Footer question={question} />
    </Stack>
  );
}

/** Actions on the whole question. */
function Footer({ question }: { readonly question: DraftQuestion }) {
  const { t } = useTexts();
  const editor = useEditor();
  const { id } = question;
  const title = question.title.trim() || t("untitledQuestion");
  const duplicate = () => {
    const added = duplicateQuestion(editor.current(), id, t("copyOf", { title }));
    editor.apply(() => added.document, {
      announce: () => t("copied", { title }),
      open: added.id,
      focus: `title:${added.id}`,
    });
  };
  const remove = () => {
    const before = editor.current();
    const next = neighbourOf(before, id);
    const section = before.sections[placeOf(before, id)?.section ?? 0];
    editor.apply((document) => deleteQuestion(document, id), {
      announce: () => t("deleted", { title }),
      open: null,
      focus: next ? `question:${next}` : `add:${section?.id}`,
    });
  };
  const renew = () => {
    const renewed = renewId(editor.current(), id);
    editor.apply(() => renewed.document, {
      announce: () => t("renewed", { id: renewed.id }),
      open: renewed.id,
      focus: `title:${renewed.id}`,
    });
  };
  return (
    <Group justify="space-between" gap="xs" className={classes.footer}>
      <Group gap={6}>
        <Text size="xs" c="dimmed" className="breakable" title={t("idDetail")}>
          {t("id")} <code>{id}</code>
        </Text>
        {editor.isPublishedQuestion(id) && (
          <Button variant="subtle" size="compact-xs" title={t("renewDetail")} onClick={renew}>
            {t("renew")}
          </Button>
        )}
      </Group>
      <Group gap={4}>
        <Button
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          size="compact-sm"
          leftSection={<Icon name="copy" size={14} />}
          onClick={duplicate}
        >
          {t("duplicate")}
        </Button>
        <Button
          variant="subtle"
          color="red"
          size="compact-sm"
          leftSection={<Icon name="trash" size={14} />}
          onClick={remove}
        >
          {t("delete")}
        </Button>
      </Group>
    </Group>
  );
}
