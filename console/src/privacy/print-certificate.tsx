import type { CertificateBody } from "@hearback/sdk";
import { Button } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { createPortal } from "react-dom";
import { useSession } from "../access/queries.ts";
import { Actor } from "../audit/actor.tsx";
import { useNames } from "../audit/names.ts";
import { Problem } from "../ui/feedback/problem.tsx";
import { Icon } from "../ui/icon.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import classes from "./certificate.module.css";
import { useCertificate } from "./queries.ts";
import { useTexts } from "./texts.ts";

/** Prints the certificate on a page of its own. */
export function PrintCertificate({ id }: { readonly id: string }) {
  const { t } = useTexts();
  const { data, error, isPending, mutate, reset } = useCertificate();
  return (
    <>
      <Button variant="default" leftSection={<Icon name="print" />} loading={isPending} onClick={() => mutate(id)}>
        {t("certificatePrint")}
      </Button>
      {error && <Problem error={error} />}
      {data && createPortal(<Certificate certificate={data} onPrinted={reset} />, document.body)}
    </>
  );
}

interface CertificateProps {
  readonly certificate: CertificateBody;
  readonly onPrinted: () => void;
}

function Certificate({ certificate, onPrinted }: CertificateProps) {
  const { t } = useTexts();
  const format = useFormat();
  const { workspace } = useSession();
  const { requested_by: by, audit } = certificate;
  const names = useNames(by.type === "user" && by.id ? [by.id] : []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: prints once, when it is on the page
  useEffect(() => {
    window.print();
    onPrinted();
  }, []);
  const kinds = {
    call: t("kindCall"),
    agent: t("kindAgent"),
    metadata: t("kindMetadata"),
    retention: t("kindRetention"),
    workspace: t("kindWorkspace"),
  };
  const subject = certificate.call_id ?? certificate.agent_id ?? certificate.campaign_id;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t("certificateWorkspace"), `${workspace.name} (${certificate.workspace_id})`],
    [t("what"), [kinds[certificate.kind], subject].filter(Boolean).join(" ")],
    [t("by"), <Actor key="by" actor={by} names={names} />],
    [t("requestedAt"), format.exact(certificate.created_at)],
    [t("endedAt"), format.exact(certificate.ended_at)],
    [
      t("erased"),
      t("callsOfSize", {
        count: certificate.erased,
        number: format.number(certificate.erased),
        size: format.bytes(certificate.bytes),
      }),
    ],
    [t("heldBack"), format.number(certificate.held)],
    [t("certificateId"), certificate.id],
    [t("certificateDigest"), certificate.ids_digest],
    [t("certificateEntry"), `${audit.number}, ${audit.hash}`],
  ];
  return (
    <section className={`print-only ${classes.certificate}`}>
      <h1>{t("certificateTitle")}</h1>
      <p>{t("certificateStatement")}</p>
      <dl>
        {facts.map(([title, value]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {certificate.agent_erased && <p>{t("agentErased")}</p>}
      <p>{t("certificateVerify")}</p>
    </section>
  );
}
