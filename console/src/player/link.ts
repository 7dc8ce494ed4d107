import { writeMoment } from "./moment.ts";

/** The address of a moment, to be handed on: without the filters of whoever found it. */
export const linkTo = (id: string, ms: number): string =>
  `${window.location.origin}${import.meta.env.BASE_URL}calls/${encodeURIComponent(id)}?t=${writeMoment(ms)}`;
