import type { Voice } from "./audio-graph.ts";

type Channel = Voice["channel"];

/** The solo channel, if any. */
export function soloChannel(channels: readonly Channel[], muted: ReadonlySet<Channel>): Channel | undefined {
  const heard = channels.filter((channel) => !muted.has(channel));
  return channels.length > 1 && heard.length === 1 ? heard[0] : undefined;
}

/** Muted channels after toggling one. */
export const toggleMute = (muted: ReadonlySet<Channel>, channel: Channel): Channel[] =>
  muted.has(channel) ? [...muted].filter((one) => one !== channel) : [...muted, channel];

/** Muted channels after toggling solo for one. */
export const toggleSolo = (channels: readonly Channel[], muted: ReadonlySet<Channel>, channel: Channel): Channel[] =>
  soloChannel(channels, muted) === channel ? [] : channels.filter((one) => one !== channel);
