import type { Metadata } from "@hearback/sdk";
import { useState } from "react";
import { MetadataFields } from "../ui/form/metadata-fields.tsx";
import { useTexts } from "./texts.ts";

interface DefaultMetadataProps {
  readonly metadata: Metadata;
  readonly onChange: (metadata: Metadata) => void;
}

/** Metadata for every call. Entries without a key are not sent. */
export function DefaultMetadata({ metadata, onChange }: DefaultMetadataProps) {
  const { t } = useTexts();
  const [pairs, setPairs] = useState<Metadata>(metadata);
  const change = (next: Metadata) => {
    setPairs(next);
    onChange(next.filter(({ key }) => key.trim() !== "").map(({ key, value }) => ({ key: key.trim(), value })));
  };
  return <MetadataFields metadata={pairs} max={20} detail={t("metadataDetail")} onChange={change} />;
}
