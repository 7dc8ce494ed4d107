import { Group, Paper, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { LanguageChoice } from "../ui/form/language-choice.tsx";
import classes from "./auth-layout.module.css";

/** Layout of the pages before sign-in: logo and language choice. */
export function AuthLayout({ children }: { readonly children: ReactNode }) {
  return (
    <div className={classes.room}>
      <header className={classes.head}>
        <LanguageChoice size="xs" />
      </header>
      <main className={classes.main}>
        <Group justify="center" gap="sm" mb="xl">
          <img src={`${import.meta.env.BASE_URL}icon.svg`} width={44} height={44} alt="" />
          <Text fw={700} fz={28} lh={1}>
            Hearback
          </Text>
        </Group>
        <Paper className={classes.card} withBorder radius="lg">
          {children}
        </Paper>
      </main>
      <Wave />
    </div>
  );
}

const bars = 120;

/** Bar heights that look like speech. */
const loudness = (bar: number) =>
  8 + 62 * Math.abs(Math.sin(bar * 0.9) * Math.sin(bar * 0.37)) * (0.35 + 0.65 * Math.sin((bar / bars) * Math.PI));

function Wave() {
  const path = Array.from({ length: bars }, (_, bar) => {
    const height = loudness(bar);
    return `M${bar * 10 + 5} ${75 - height}v${(2 * height).toFixed(1)}`;
  }).join("");
  return (
    <svg className={classes.wave} viewBox={`0 0 ${bars * 10} 150`} preserveAspectRatio="none" aria-hidden="true">
      <path d={path} stroke="currentColor" strokeWidth={4} strokeLinecap="round" />
    </svg>
  );
}
