import { type FSWatcher, watch } from "node:fs";

/** Editors and git write several files, and each more than once. */
const quietMs = 200;

/** Calls `onChange` with the files that changed, one call after the other. Tests are not part of the program. */
export function watchSources(folders: readonly string[], onChange: (files: readonly string[]) => Promise<void>) {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  function flush(): void {
    running = running.then(async () => {
      const files = [...changed];
      changed.clear();
      if (files.length > 0) await onChange(files);
    });
  }
  const watchers: FSWatcher[] = folders.map((folder) =>
    watch(folder, { recursive: true }, (_, file) => {
      if (!file || !/\.(ts|json|sql)$/.test(file) || file.endsWith(".test.ts")) return;
      changed.add(file);
      clearTimeout(timer);
      timer = setTimeout(flush, quietMs);
    }),
  );
  return {
    async stop(): Promise<void> {
      for (const watcher of watchers) watcher.close();
      clearTimeout(timer);
      await running;
    },
  };
}
