import type { App } from "./app.ts";

/** Whether the operator configured an engine that recognises speech. */
export const hasTranscriber = ({ config }: Pick<App, "config">): boolean =>
  "transcriber" in config && config.transcriber !== undefined;
