import { CatchBoundary, type ErrorComponentProps } from "@tanstack/react-router";
import { type ComponentType, type LazyExoticComponent, lazy, useCallback, useState } from "react";
import { PartMissing } from "./part-missing.ts";
import { Problem } from "./problem.tsx";

/**
 * A part of a page that is fetched when it is first shown. If it cannot be had, that is said in its place with a way to try
 * again, and the page around it stays as it is.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let fetched = make();
  function make(): LazyExoticComponent<ComponentType<Props>> {
    return lazy(async () => {
      try {
        return { default: await load() };
      } catch (cause) {
        // React remembers that it failed: the next time is another one's.
        fetched = make();
        throw new PartMissing("a part of the page could not be fetched", { cause });
      }
    });
  }
  // biome-ignore lint/correctness/noComponentHookFactories: one for each part, made where React.lazy would be called
  return function Part(props: Props) {
    const [{ Fetched, tries }, setFetched] = useState({ Fetched: fetched, tries: 0 });
    const Failed = useCallback(({ error }: ErrorComponentProps) => {
      if (!(error instanceof PartMissing)) throw error;
      const again = () => setFetched((before) => ({ Fetched: fetched, tries: before.tries + 1 }));
      return <Problem error={error} onRetry={again} />;
    }, []);
    return (
      <CatchBoundary getResetKey={() => tries} errorComponent={Failed}>
        <Fetched {...props} />
      </CatchBoundary>
    );
  };
}
