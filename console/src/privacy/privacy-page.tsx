import { Box, Tabs } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { Suspense } from "react";
import { Icon } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { Page } from "../ui/page.tsx";
import { LoadingRows } from "../ui/table/loading-rows.tsx";
import { ErasuresSection } from "./erasures-section.tsx";
import { HoldsSection } from "./holds-section.tsx";
import { tabs, usePrivacySearch } from "./search.ts";
import { useTexts } from "./texts.ts";

const RetentionSection = lazyComponent(async () => (await import("./retention-section.tsx")).RetentionSection);

const icons = { erasures: "trash", holds: "lock", retention: "clock" } as const;
const sections = { erasures: ErasuresSection, holds: HoldsSection, retention: RetentionSection } as const;

export function PrivacyPage() {
  const { t } = useTexts();
  const { search } = usePrivacySearch();
  const navigate = useNavigate();
  const Section = sections[search.tab];
  return (
    <Page title={t("title")} intro={t("intro")}>
      <Tabs
        value={search.tab}
        onChange={(tab) => void navigate({ to: ".", search: { tab: tab ?? undefined } })}
        keepMounted={false}
      >
        <Tabs.List mb="lg" className="scroll-x one-line">
          {tabs.map((tab) => (
            <Tabs.Tab
              key={tab}
              value={tab}
              leftSection={
                <Box visibleFrom="xs">
                  <Icon name={icons[tab]} />
                </Box>
              }
            >
              {t(tab)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map((tab) => (
          <Tabs.Panel key={tab} value={tab}>
            <Suspense fallback={<LoadingRows />}>
              <Section />
            </Suspense>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
