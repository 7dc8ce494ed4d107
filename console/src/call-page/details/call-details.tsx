import { Code, SimpleGrid, Skeleton, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { TalkTime } from "../../player/talk-time.tsx";
import { CopyButton } from "../../ui/form/copy-button.tsx";
import { Section } from "../../ui/section.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { Timestamp } from "../../ui/time/timestamp.tsx";
import { useFormat } from "../../ui/time/use-format.ts";
import styles from "../call-page.module.css";
import type { KnownCall } from "../known-call.ts";
import type { Rights } from "../rights.ts";
import { useTexts } from "../texts.ts";
import { CallChanges } from "./call-changes.tsx";

interface CallDetailsProps {
  readonly call: KnownCall;
  readonly rights: Rights;
  /** In one column. */
  readonly narrow?: boolean;
}

export function CallDetails({ call, rights, narrow = false }: CallDetailsProps) {
  const { t } = useTexts();
  return (
    <SimpleGrid cols={{ base: 1, lg: narrow ? 1 : 2 }} spacing="md">
      {call.status === "ready" && (
        <Section small title={t("talk")}>
          {call.audio ? (
            <TalkTime audio={call.audio} durationMs={call.recording.duration_ms ?? 0} />
          ) : (
            <Skeleton height={158} />
          )}
        </Section>
      )}
      <Section small title={t("metadata")}>
        <MetadataList metadata={call.metadata} />
      </Section>
      <Section small title={t("recording")}>
        <RecordingFacts call={call} />
      </Section>
      <Section small title={t("about")}>
        <AboutFacts call={call} />
        {rights.seeChanges && <CallChanges id={call.id} />}
        {rights.erase && (
          <Text size="sm" c="dimmed">
            {t("eraseHint")}{" "}
            <TextLink to="/privacy" underline="always">
              {t("toPrivacy")}
            </TextLink>
          </Text>
        )}
      </Section>
    </SimpleGrid>
  );
}

function MetadataList({ metadata }: Pick<KnownCall, "metadata">) {
  const { t } = useTexts();
  if (metadata.length === 0)
    return (
      <Text c="dimmed" size="sm">
        {t("noMetadata")}
      </Text>
    );
  return (
    <dl className={styles.facts}>
      {metadata.map(({ key, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries can repeat
        <Fact key={index} name={key}>
          {value}
        </Fact>
      ))}
    </dl>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

function RecordingFacts({ call: { recording, audio } }: Pick<CallDetailsProps, "call">) {
  const { t } = useTexts();
  const format = useFormat();
  const { codec, channels, sample_rate } = recording;
  const layouts = {
    mono: t("layoutMono"),
    dual: t("layoutDual"),
    dual_identical: t("layoutIdentical"),
    one_silent: t("layoutOneSilent"),
  };
  return (
    <>
      <dl className={styles.facts}>
        <Fact name={t("format")}>{[recording.format.toUpperCase(), codec].filter(Boolean).join(" · ")}</Fact>
        {channels !== null && (
          <Fact name={t("channels")}>{audio ? `${channels} · ${layouts[audio.layout]}` : channels}</Fact>
        )}
        {sample_rate !== null && <Fact name={t("sampleRate")}>{`${format.number(sample_rate)} Hz`}</Fact>}
        <Fact name={t("size")}>{format.bytes(recording.bytes)}</Fact>
        <Fact name="SHA-256">
          <Code>{recording.sha256}</Code>
        </Fact>
      </dl>
      <div>
        <CopyButton value={recording.sha256} label={t("copyHash")} />
      </div>
    </>
  );
}

function AboutFacts({ call }: Pick<CallDetailsProps, "call">) {
  const { t } = useTexts();
  return (
    <dl className={styles.facts}>
      <Fact name={t("agent")}>{call.agent.email}</Fact>
      <Fact name={t("campaign")}>{call.campaign_id}</Fact>
      <Fact name={t("imported")}>
        <Timestamp at={call.created_at} />
      </Fact>
      <Fact name={t("id")}>
        <Code>{call.id}</Code>
      </Fact>
    </dl>
  );
}
