export interface Progress {
  phase: "reading" | "importing" | "reconciling";
  total: number;
  totalBytes: number;
  done: number;
  doneBytes: number;
  imported: number;
  present: number;
  failed: number;
  atOnce: number;
  waiting: string | undefined;
}
