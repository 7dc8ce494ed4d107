import { CatchBoundary, type ErrorComponentProps } from "@tanstack/react-router";
import { type ComponentType, type LazyExoticComponent, lazy, useCallback, useState } from "react";
import { withTexts } from "../../i18n/language.ts";
import { Problem } from "../feedback/problem.tsx";
import { ChunkLoadError } from "./chunk-load-error.ts";

/**
 * Lazily loaded component. If its chunk cannot be loaded, an error with a retry button replaces it and the rest of the
 * page stays.
 */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let fetched = make();
  function make(): LazyExoticComponent<ComponentType<Props>> {
    return lazy(async () => {
      try {
        return { default: await withTexts(load()) };
      } catch (cause) {
        // React caches the failure, so the next attempt needs a new lazy component.
        fetched = make();
        throw new ChunkLoadError("the chunk could not be loaded", { cause });
      }
    });
  }
  return function Part(props: Props) {
    const [{ Fetched, tries }, setFetched] = useState({ Fetched: fetched, tries: 0 });
    const Failed = useCallback(({ error }: ErrorComponentProps) => {
      if (!(error instanceof ChunkLoadError)) throw error;
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
