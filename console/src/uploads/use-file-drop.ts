import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { type AddedFiles, droppedFiles } from "./dropped-files.ts";

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;

/** Accepts files dropped anywhere on the page. Returns whether files are dragged over it. */
export function useFileDrop(onFiles: (added: AddedFiles) => void): boolean {
  const [over, setOver] = useState(false);
  const latest = useRef(onFiles);
  useEffect(() => {
    latest.current = onFiles;
  });
  // Registered before paint: a file dropped earlier would replace the page.
  useLayoutEffect(() => {
    // dragenter of a child fires before dragleave of its parent.
    let depth = 0;
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth += 1;
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth = Math.max(0, depth - 1);
      if (depth === 0) setOver(false);
    };
    // Prevents the browser from opening the file.
    const allow = (event: DragEvent) => hasFiles(event) && event.preventDefault();
    const drop = (event: DragEvent) => {
      if (!hasFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      depth = 0;
      setOver(false);
      void droppedFiles(event.dataTransfer).then((added) => latest.current(added));
    };
    const listeners = { dragenter: enter, dragleave: leave, dragover: allow, drop } as const;
    for (const [name, listen] of Object.entries(listeners)) window.addEventListener(name, listen as EventListener);
    return () => {
      for (const [name, listen] of Object.entries(listeners)) window.removeEventListener(name, listen as EventListener);
    };
  }, []);
  return over;
}
