import type { Voice } from "./sound.ts";

type Channel = Voice["channel"];

/** The only channel that is heard, if there are others. */
export function onlyOf(channels: readonly Channel[], muted: ReadonlySet<Channel>): Channel | undefined {
  const heard = channels.filter((channel) => !muted.has(channel));
  return channels.length > 1 && heard.length === 1 ? heard[0] : undefined;
}

/** What is muted after this channel was switched off or on. */
export const toggled = (muted: ReadonlySet<Channel>, channel: Channel): Channel[] =>
  muted.has(channel) ? [...muted].filter((one) => one !== channel) : [...muted, channel];

/** What is muted so that only this channel is heard; all of them again if it was so already. */
export const alone = (channels: readonly Channel[], muted: ReadonlySet<Channel>, channel: Channel): Channel[] =>
  onlyOf(channels, muted) === channel ? [] : channels.filter((one) => one !== channel);
