import type { Page } from "playwright-core";
import { waitForCall, withEveryScope } from "../../support/http/call-details.ts";
import { importCall, type Service } from "../../support/http/service.ts";
import { type Conversation, loadConversation, record } from "../../support/recordings/conversation.ts";
import { serviceAt } from "../../support/recordings/recordings.ts";
import { tapAudioOutput } from "./audio-output.ts";
import { type Console, openConsole, type Person, startSession } from "./console.ts";

/** The customer is much quieter than the agent, as on many lines. */
const faint = 0.25;

/** A console with a prepared call. */
export interface PlayerConsole extends Console {
  readonly service: Service;
  readonly supervisor: Person;
  readonly conversation: Conversation;
  readonly callId: string;
  /** Opens a call, and waits until the player has loaded the speech data. */
  openCall(path: string): Promise<Page>;
}

export async function openPlayerConsole(): Promise<PlayerConsole> {
  const opened = await openConsole();
  const service = await withEveryScope(opened.stack, serviceAt(opened.stack, opened.api.port));
  const supervisor = await opened.addPerson("supervisor");
  const { workspaceId, campaignId } = opened.stack;
  await opened.stack.command("campaign", "set-agent-channel", campaignId, "left", "--workspace", workspaceId);
  const spoken = await loadConversation();
  const customer = spoken.voices.customer.map((sample) => sample * faint);
  const conversation = { ...spoken, voices: { ...spoken.voices, customer } };

  async function importRecording(): Promise<string> {
    const metadata = [
      { key: "client_phone", value: "+33123456789" },
      { key: "site", value: "Lyon" },
    ];
    const file = await record(conversation, {
      arrangement: "dual",
      noise: true,
      rate: 8000,
      args: ["-c:a", "pcm_s16le"],
      extension: "wav",
    });
    const { id } = await importCall(service, { file, metadata: JSON.stringify(metadata) });
    await waitForCall(service, id, 120_000);
    return id;
  }
  return {
    ...opened,
    ...{ service, supervisor, conversation },
    callId: await importRecording(),
    async openCall(path) {
      const page = await opened.openPage({ permissions: ["clipboard-read", "clipboard-write"] });
      await tapAudioOutput(page);
      await startSession(page, opened, supervisor);
      await page.goto(`${opened.url}/calls/${path}`);
      await playerReady(page);
      return page;
    },
  };
}

/** Waits until the player has loaded the speech data. */
export const playerReady = (page: Page) => page.getByRole("button", { name: /^Skip silence \(/ }).waitFor();
