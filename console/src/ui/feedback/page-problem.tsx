import { ServiceError } from "@hearback/sdk";
import { type ErrorComponentProps, type RouteComponent, useRouter } from "@tanstack/react-router";
import { FailedPage } from "./failed-page.tsx";
import { NotAllowed } from "./not-allowed.tsx";
import { NotFound } from "./not-found.tsx";

/** Error boundary of a page. */
export function PageProblem({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const again = () => {
    // The page's code may have failed to load.
    for (const { routeId } of router.state.matches) {
      const page = router.routesById[routeId].options.component as RouteComponent | undefined;
      void page?.preload?.();
    }
    reset();
    void router.invalidate();
  };
  const known = error instanceof ServiceError ? error : undefined;
  if (known?.code === "role_missing") return <NotAllowed />;
  if (known?.status === 404) return <NotFound />;
  return <FailedPage error={error} onRetry={known ? again : () => window.location.reload()} />;
}
