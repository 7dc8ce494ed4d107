import { questionLimits } from "@hearback/scoring/limits";
import { toSlug } from "@hearback/scoring/slug";
import { Button, Group, NativeSelect, Stack, Switch, TagsInput, Text, Textarea } from "@mantine/core";
import { memo } from "react";
import { Icon } from "../../../ui/icon.tsx";
import {
  type DraftDocument,
  type DraftQuestion,
  type QuestionType,
  questionTypes,
} from "../../draft/draft-document.ts";
import {
  changeQuestion,
  changeType,
  deleteQuestion,
  duplicateQuestion,
  hasOptions,
  neighbourOf,
  placeOf,
  possibleConditions,
  renewId,
} from "../../draft/draft-operations.ts";
import type { Finding } from "../../draft/lint-draft.ts";
import { useTexts } from "../../texts.ts";
import classes from "../editor.module.css";
import { useEditor } from "../editor-context.ts";
import { FindingLine } from "../finding-list.tsx";
import { hasSameEntries } from "../has-same-entries.ts";
import { newOptions } from "../new-options.ts";
import { BandFields } from "./band-fields.tsx";
import { ConditionFields } from "./condition-fields.tsx";
import { NumberField } from "./number-field.tsx";
import { OptionFields } from "./option-fields.tsx";
import { YesNoFields } from "./yes-no-fields.tsx";

interface QuestionFieldsProps {
  readonly question: DraftQuestion;
  readonly document: DraftDocument;
  readonly findings: readonly Finding[];
}

/** All fields of a question. Each part is memoized: typing into one field renders that field. */
export function QuestionFields({ question, document, findings }: QuestionFieldsProps) {
  const { id, type } = question;
  return (
    <Stack gap="md" className={classes.fields}>
      {findings.length > 0 && (
        <div className={classes.findings}>
          {findings.map((finding) => (
            <FindingLine key={finding.code + finding.path} document={document} finding={finding} />
          ))}
        </div>
      )}
      <TitleField id={id} title={question.title} />
      <BasicFields id={id} type={type} weight={question.weight} not_applicable={question.not_applicable} />
      {type === "yes_no" && <YesNoFields id={id} yes={question.yes} no={question.no} />}
      {hasOptions(type) && (
        <OptionFields id={id} type={type} options={question.options} max_points={question.max_points} />
      )}
      {type === "number" && <BandFields id={id} bands={question.bands} />}
      <GuidanceField id={id} guidance={question.guidance} />
      <ConditionFields id={id} when={question.when} choices={possibleConditions(document, id)} />
      {type !== "text" && <TagsField id={id} tags={question.tags ?? noTags} known={tagsOf(document)} />}
      <Footer id={id} title={question.title} />
    </Stack>
  );
}

const noTags: readonly string[] = [];

const tagsOf = ({ sections }: DraftDocument): readonly string[] => [
  ...new Set(sections.flatMap(({ questions }) => questions.flatMap(({ tags = [] }) => tags))),
];

function useChange(id: string) {
  const editor = useEditor();
  return (part: Partial<DraftQuestion>, about?: string) =>
    editor.apply((before) => changeQuestion(before, id, part), about ? { about: `${id} ${about}` } : {});
}

const TitleField = memo(function TitleField({ id, title }: Pick<DraftQuestion, "id" | "title">) {
  const { t } = useTexts();
  const change = useChange(id);
  return (
    <Textarea
      label={t("questionTitle")}
      className={classes.growing}
      rows={1}
      maxLength={300}
      value={title}
      data-focus={`title:${id}`}
      // A title is one line.
      onChange={({ currentTarget }) => change({ title: currentTarget.value.replaceAll("\n", " ") }, "title")}
      onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
    />
  );
});

type BasicFieldsProps = Pick<DraftQuestion, "id" | "type" | "weight" | "not_applicable">;

const BasicFields = memo(function BasicFields({ id, type, weight, not_applicable = false }: BasicFieldsProps) {
  const { t } = useTexts();
  const editor = useEditor();
  const change = useChange(id);
  return (
    <div>
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
            value={weight}
            onChange={(value) => change({ weight: value }, "weight")}
          />
        )}
        <Switch
          className={classes.naSwitch}
          label={t("mayBeNotApplicable")}
          checked={not_applicable}
          onChange={({ currentTarget }) => change({ not_applicable: currentTarget.checked || undefined })}
        />
      </Group>
      <Text size="xs" c="dimmed" mt={8}>
        {t(`typeDetail_${type}`)}
      </Text>
    </div>
  );
});

const GuidanceField = memo(function GuidanceField({ id, guidance = "" }: Pick<DraftQuestion, "id" | "guidance">) {
  const { t } = useTexts();
  const change = useChange(id);
  return (
    <Textarea
      label={t("guidance")}
      description={t("guidanceDetail")}
      className={classes.growing}
      rows={3}
      maxLength={4000}
      value={guidance}
      onChange={({ currentTarget }) => change({ guidance: currentTarget.value || undefined }, "guidance")}
    />
  );
});

interface TagsFieldProps {
  readonly id: string;
  readonly tags: readonly string[];
  /** Tags of all questions, to choose from. */
  readonly known: readonly string[];
}

const TagsField = memo(
  function TagsField({ id, tags, known }: TagsFieldProps) {
    const { t } = useTexts();
    const change = useChange(id);
    return (
      <TagsInput
        label={t("tags")}
        description={t("tagsDetail")}
        maxTags={questionLimits.tags}
        data={[...known]}
        value={[...tags]}
        splitChars={[",", ";", " "]}
        onChange={(chosen) => {
          const slugs = [...new Set(chosen.map(toSlug))];
          change({ tags: slugs.length > 0 ? slugs : undefined });
        }}
      />
    );
  },
  (before, after) => before.id === after.id && before.tags === after.tags && hasSameEntries(before.known, after.known),
);

/** Actions on the whole question. */
function Footer({ id, title: written }: Pick<DraftQuestion, "id" | "title">) {
  const { t } = useTexts();
  const editor = useEditor();
  const title = written.trim() || t("untitledQuestion");
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
