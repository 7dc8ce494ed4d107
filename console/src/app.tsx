import { ServiceError } from "@hearback/sdk";
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
import { Entrance } from "./access/entrance.tsx";
import { forgetPerson } from "./access/forget-person.ts";
import { takeNext } from "./access/oidc.ts";
import { accessQueries } from "./access/queries.ts";
import { onTabs } from "./access/tabs.ts";
import { insidePages, outsidePages, shell } from "./pages.ts";
import { playerQueries } from "./player/queries.ts";
import { parseSearch, type SearchParams, stringifySearch } from "./search-params.ts";
import { theme } from "./theme.ts";
import { NotFound } from "./ui/not-found.tsx";
import { Notices } from "./ui/notices.tsx";
import { PageLoading } from "./ui/page-loading.tsx";
import { PageProblem } from "./ui/page-problem.tsx";
import { beOwner } from "./uploads/owner.ts";

const isSignedOut = (error: unknown) => error instanceof ServiceError && error.code === "unauthenticated";

/** Whatever was asked: if the session ended while a page was open, one signs in and is back on that page. */
function leaveIfSignedOut(error: unknown): void {
  if (!isSignedOut(error) || !queries.getQueryData(accessQueries.session.queryKey)) return;
  queries.removeQueries({ queryKey: accessQueries.session.queryKey, exact: true });
  const search = { next: router.state.location.href, failed: "session_ended" };
  void router.navigate({ to: "/sign-in", search }).then(() => forgetPerson(queries));
}

const queries = new QueryClient({
  queryCache: new QueryCache({ onError: leaveIfSignedOut }),
  mutationCache: new MutationCache({ onError: leaveIfSignedOut }),
  // The SDK tries again by itself where that helps. Without a network nothing waits in silence, to be sent later unasked.
  defaultOptions: {
    queries: { retry: false, staleTime: 10_000, networkMode: "always", refetchOnReconnect: true },
    mutations: { retry: false, networkMode: "always" },
  },
});

onTabs((userId) => {
  const { queryKey } = accessQueries.session;
  const known = queries.getQueryData(queryKey);
  if (!known || known.user.id === userId) return;
  beOwner(userId);
  void queries.invalidateQueries({ queryKey, exact: true });
});

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: () => (
    <Entrance>
      <NotFound />
    </Entrance>
  ),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: ({ next, ...search }: SearchParams): { next?: string; failed?: string } => ({
    // Only a path of this console: an address from elsewhere would be a trap.
    ...(typeof next === "string" && /^\/(?![/\\])/.test(next) && { next }),
    ...(typeof search.failed === "string" && { failed: search.failed }),
  }),
  loader: () => queries.prefetchQuery(accessQueries.options),
  component: outsidePages["/sign-in"],
});

/** Where mailed links lead; what they carry is in the fragment, which no server sees. */
const welcome = createRoute({
  getParentRoute: () => root,
  path: "/welcome",
  component: outsidePages["/welcome"],
});

/** Everything behind the sign-in. */
const inside = createRoute({
  getParentRoute: () => root,
  id: "inside",
  async beforeLoad({ location }) {
    try {
      await queries.ensureQueryData(accessQueries.session);
    } catch (error) {
      if (isSignedOut(error)) throw redirect({ to: "/sign-in", search: { next: location.href } });
      throw error;
    }
  },
  component: shell,
});

const home = createRoute({
  getParentRoute: () => inside,
  path: "/",
  beforeLoad() {
    throw redirect({ href: takeNext() ?? "/calls" });
  },
});

/** A page behind the sign-in. What the address bar says beyond the path is the page's own to understand. */
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
  // Asked for while the page's code is on its way.
  loader: ({ params }) => void queries.prefetchQuery(playerQueries.call(params.id)),
  component: insidePages["/calls/$id"],
});

const pages = [
  home,
  call,
  page("/calls"),
  page("/uploads"),
  page("/imports"),
  page("/campaigns"),
  page("/people"),
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

/** Asks at once for what the first page needs, instead of one after the other: who is here, the page's code, its call. */
export function startFirstPage(): void {
  const matches = router.matchRoutes(router.latestLocation);
  const ids = matches.map(({ routeId }): string => routeId);
  if (ids.includes(inside.id)) void queries.prefetchQuery(accessQueries.session);
  const opened = matches.find(({ routeId }) => routeId === call.id)?.params as { id: string } | undefined;
  if (opened) void queries.prefetchQuery(playerQueries.call(opened.id));
  const here = Object.values(router.routesById).filter(({ id }) => ids.includes(id));
  for (const { options } of here) void (options.component as RouteComponent | undefined)?.preload?.();
}

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

/** The style sheets that Mantine writes carry the page's nonce: without it they would be refused. */
const styleNonce = () => document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? "";
// By this name it is asked for by what holds the page still behind a dialog.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

export function App() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={styleNonce}>
      <QueryClientProvider client={queries}>
        <Notices />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
