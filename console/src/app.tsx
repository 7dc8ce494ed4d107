import { ServiceError, type SessionBody } from "@hearback/sdk";
import { MantineProvider } from "@mantine/core";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  type RouteComponent,
  RouterProvider,
  redirect,
} from "@tanstack/react-router";
import { AuthLayout } from "./access/auth-layout.tsx";
import { clearUserCache } from "./access/clear-user-cache.ts";
import { takeNext } from "./access/oidc.ts";
import { accessQueries } from "./access/queries.ts";
import { safeNext } from "./access/safe-next.ts";
import { onSessionBroadcast } from "./access/session-broadcast.ts";
import { insidePages, outsidePages, shell } from "./pages.ts";
import { playerQueries } from "./player/queries.ts";
import { parseSearch, type SearchParams, stringifySearch } from "./search-params.ts";
import { theme } from "./theme.ts";
import { NotFound } from "./ui/feedback/not-found.tsx";
import { PageLoading } from "./ui/feedback/page-loading.tsx";
import { PageProblem } from "./ui/feedback/page-problem.tsx";
import { Toasts } from "./ui/feedback/toasts.tsx";
import { setOwner } from "./uploads/owner.ts";

const isSignedOut = (error: unknown) => error instanceof ServiceError && error.code === "unauthenticated";

/** Redirects to sign-in when a request reports that the session has ended. Sign-in returns to the same page. */
function leaveIfSignedOut(error: unknown): void {
  if (!isSignedOut(error) || !queries.getQueryData(accessQueries.session.queryKey)) return;
  queries.removeQueries({ queryKey: accessQueries.session.queryKey, exact: true });
  const search = { next: router.state.location.href, failed: "session_ended" };
  void router.navigate({ to: "/sign-in", search }).then(() => clearUserCache(queries));
}

/** Redirects to the account page when the workspace starts to require two-step verification. */
function setUpIfRequired(error: unknown): void {
  if (!(error instanceof ServiceError) || error.code !== "two_step_required") return;
  void queries
    .invalidateQueries({ queryKey: accessQueries.session.queryKey, exact: true })
    .then(() => router.navigate({ to: "/account" }));
}

function onError(error: unknown): void {
  leaveIfSignedOut(error);
  setUpIfRequired(error);
}

const queries = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  // The SDK retries where that is safe. `networkMode: "always"` fails offline requests at once instead of sending them
  // later.
  defaultOptions: {
    queries: { retry: false, staleTime: 10_000, networkMode: "always", refetchOnReconnect: true },
    mutations: { retry: false, networkMode: "always" },
  },
});

onSessionBroadcast((userId) => {
  const { queryKey } = accessQueries.session;
  const known = queries.getQueryData(queryKey);
  if (!known || known.user.id === userId) return;
  setOwner(userId);
  void queries.invalidateQueries({ queryKey, exact: true });
});

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: () => (
    <AuthLayout>
      <NotFound />
    </AuthLayout>
  ),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: ({ next, ...search }: SearchParams): { next?: string | undefined; failed?: string } => ({
    // Always set: the router merges this result into the raw parameters and keeps those missing here.
    next: safeNext(next),
    ...(typeof search.failed === "string" && { failed: search.failed }),
  }),
  loader: () => queries.prefetchQuery(accessQueries.options),
  component: outsidePages["/sign-in"],
});

/** Target of emailed links. The token is in the fragment, which servers never see. */
const welcome = createRoute({
  getParentRoute: () => root,
  path: "/welcome",
  component: outsidePages["/welcome"],
});

/** Parent of all pages behind the sign-in. */
const inside = createRoute({
  getParentRoute: () => root,
  id: "inside",
  async beforeLoad({ location }) {
    let session: SessionBody;
    try {
      session = await queries.ensureQueryData(accessQueries.session);
    } catch (error) {
      if (isSignedOut(error)) throw redirect({ to: "/sign-in", search: { next: location.href } });
      throw error;
    }
    if (session.two_step_needed && location.pathname !== "/account") throw redirect({ to: "/account" });
  },
  component: shell,
});

const home = createRoute({
  getParentRoute: () => inside,
  path: "/",
  beforeLoad() {
    // Loaded by the parent route.
    const role = queries.getQueryData(accessQueries.session.queryKey)?.user.role;
    throw redirect({ href: takeNext() ?? (role === "reviewer" ? "/queue" : "/calls") });
  },
});

/** Page behind the sign-in. Each page validates its own search parameters. */
const page = <Path extends keyof typeof insidePages>(path: Path) =>
  createRoute({
    getParentRoute: () => inside,
    path,
    validateSearch: (search: SearchParams): SearchParams => search,
    component: insidePages[path],
  });

const call = createRoute({
  getParentRoute: () => inside,
  path: "/calls/$id",
  validateSearch: (search: SearchParams): SearchParams => search,
  // Starts while the page's code is loading.
  loader: ({ params }) => void queries.prefetchQuery(playerQueries.call(params.id)),
  component: insidePages["/calls/$id"],
});

const review = createRoute({
  getParentRoute: () => inside,
  path: "/calls/$id/review",
  validateSearch: (search: SearchParams): SearchParams => search,
  loader: ({ params }) => void queries.prefetchQuery(playerQueries.call(params.id)),
  component: insidePages["/calls/$id/review"],
});

const pages = [
  home,
  call,
  review,
  page("/calls"),
  page("/reviews"),
  page("/reviews/$id"),
  page("/disputes"),
  page("/queue"),
  page("/scores"),
  page("/scores/agents"),
  page("/scores/reviewers"),
  page("/my-scores"),
  page("/plans"),
  page("/plans/new"),
  page("/plans/$id"),
  page("/plans/$id/edit"),
  page("/how-i-am-reviewed"),
  page("/calibrations"),
  page("/calibrations/new"),
  page("/calibrations/agreement"),
  page("/calibrations/$id"),
  page("/uploads"),
  page("/imports"),
  page("/campaigns"),
  page("/people"),
  page("/people/teams"),
  page("/scorecards"),
  page("/scorecards/$id"),
  page("/keys"),
  page("/webhooks"),
  page("/webhooks/$id"),
  page("/privacy"),
  page("/audit"),
  page("/workspace"),
  page("/account"),
];

const router = createRouter({
  routeTree: root.addChildren([signIn, welcome, inside.addChildren(pages)]),
  basepath: "/console",
  parseSearch,
  stringifySearch,
  defaultPreload: "intent",
  defaultPendingComponent: PageLoading,
  defaultErrorComponent: PageProblem,
  scrollRestoration: true,
});

/** Loads the session, the code and the call of the first page in parallel. */
export function startFirstPage(): void {
  const matches = router.matchRoutes(router.latestLocation);
  const ids = matches.map(({ routeId }): string => routeId);
  if (ids.includes(inside.id)) void queries.prefetchQuery(accessQueries.session);
  const ofCall: readonly string[] = [call.id, review.id];
  const opened = matches.find(({ routeId }) => ofCall.includes(routeId))?.params as { id: string } | undefined;
  if (opened) void queries.prefetchQuery(playerQueries.call(opened.id));
  const here = Object.values(router.routesById).filter(({ id }) => ids.includes(id));
  for (const { options } of here) void (options.component as RouteComponent | undefined)?.preload?.();
}

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

/** Style sheets inserted by Mantine need the CSP nonce. */
const styleNonce = () => document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? "";
// react-remove-scroll reads the nonce from this global.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

export function App() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={styleNonce}>
      <QueryClientProvider client={queries}>
        <Toasts />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
