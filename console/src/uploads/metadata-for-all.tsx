import type { Metadata } from "@hearback/sdk";
import { useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { MetadataFields } from "../ui/metadata-fields.tsx";

interface MetadataForAllProps {
  readonly metadata: Metadata;
  readonly onChange: (metadata: Metadata) => void;
}

/** What every call gets. A pair without a name is not sent. */
export function MetadataForAll({ metadata, onChange }: MetadataForAllProps) {
  const { t } = useTexts("uploads");
  const [pairs, setPairs] = useState<Metadata>(metadata);
  const change = (next: Metadata) => {
    setPairs(next);
    onChange(next.filter(({ key }) => key.trim() !== "").map(({ key, value }) => ({ key: key.trim(), value })));
  };
  return <MetadataFields metadata={pairs} most={20} detail={t("metadataDetail")} onChange={change} />;
}
