const { readdirSync } = require("node:fs");

/** Each domain and the domains it may use, from the lowest layer to the highest. */
const uses = {
  audit: [],
  workspaces: ["audit"],
  teams: ["audit", "events"],
  events: [],
  webhooks: ["audit", "events"],
  limits: ["audit", "workspaces", "webhooks"],
  campaigns: ["audit", "events"],
  scorecards: ["audit", "events", "users", "campaigns"],
  access: ["audit", "events", "campaigns", "limits", "users", "workspaces"],
  users: ["audit", "events", "limits", "teams"],
  calls: ["audit", "workspaces", "events", "users", "campaigns", "limits"],
  scores: ["workspaces", "calls"],
  plans: ["audit", "workspaces", "events", "users", "teams", "campaigns", "calls", "scorecards", "scores"],
  reviews: ["audit", "workspaces", "events", "users", "campaigns", "calls", "scorecards", "scores", "plans"],
  privacy: ["audit", "workspaces", "events", "users", "access", "campaigns", "calls", "scores", "reviews"],
  transcripts: ["audit", "workspaces", "events", "users", "campaigns", "limits", "calls", "privacy"],
};
const domains = Object.keys(uses).join("|");

/** The same inside of domains with several folders. Files beside the folders are above or below them. */
const inner = {
  access: {
    throttle: [],
    keys: [],
    sessions: [],
    "two-step": ["throttle", "sessions"],
    "sign-in": ["throttle", "sessions", "two-step"],
    links: ["throttle", "sessions", "two-step", "sign-in"],
  },
  calls: {
    objects: [],
    call: ["objects"],
    playback: ["call"],
    search: ["call"],
    change: ["call"],
    notes: ["call"],
    prepare: ["call", "objects"],
    import: ["call", "objects", "prepare"],
  },
  "platform/http": { body: [], console: ["body"], form: ["body"], openapi: ["body"] },
  plans: { draws: [], assignments: ["draws"] },
  privacy: { holds: [] },
  reviews: {
    review: [],
    agreement: ["review"],
    calibrations: ["review", "agreement"],
    disputes: ["review"],
    emails: [],
    read: ["review"],
    reviewers: ["review", "agreement"],
    "what-if": ["review"],
    write: ["review", "calibrations"],
  },
  transcripts: {
    masking: [],
    models: [],
    engine: ["models"],
    steps: ["engine", "masking"],
    store: ["masking", "steps"],
    read: ["store", "steps"],
    recognise: ["engine", "masking", "steps", "store"],
  },
  users: { mail: [] },
  webhooks: { endpoint: ["queue"], queue: [], deliver: ["endpoint", "queue"], history: ["endpoint", "queue"] },
};

/** Fails if a folder is missing from a table: its imports would be unchecked. */
function requireListed(root, uses, other) {
  const folders = readdirSync(`${__dirname}/${root}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const known = [...Object.keys(uses), ...other];
  for (const name of folders)
    if (!known.includes(name)) throw new Error(`.dependency-cruiser.cjs does not say what ${root}/${name} may import`);
  for (const name of known)
    if (!folders.includes(name)) throw new Error(`.dependency-cruiser.cjs: there is no folder ${root}/${name}`);
}

function orderOf(root, uses, { other = [], from = {} } = {}) {
  requireListed(root, uses, other);
  return Object.entries(uses).map(([folder, allowed]) => ({
    name: `${root}/${folder}-uses-only-what-is-below-it`,
    severity: "error",
    from: { path: `^${root}/${folder}/`, ...from },
    to: {
      path: `^${root}/(${Object.keys(uses).join("|")})/`,
      pathNot: `^${root}/(${[folder, ...allowed].join("|")})/`,
    },
  }));
}

/** Routes see the whole domain, as tests do. */
const notRoutes = { from: { pathNot: "(routes|[.]test)[.]ts$" } };

/** Each folder of the console and the folders it may use, besides `i18n` and `ui`. */
const consoleUses = {
  access: [],
  audit: [],
  campaigns: ["access", "workspace"],
  charts: [],
  imports: ["charts"],
  player: [],
  transcript: ["player"],
  calls: ["access", "player"],
  "call-notes": ["access", "player"],
  "call-page": ["access", "calls", "call-notes", "player", "reviews", "transcript"],
  uploads: ["access"],
  teams: [],
  users: ["access", "teams"],
  keys: ["campaigns", "users"],
  webhooks: [],
  "review-form": [],
  scorecards: ["access", "campaigns", "review-form"],
  reviews: ["access", "campaigns", "player", "review-form", "teams", "transcript"],
  queue: ["access", "reviews"],
  plans: ["access", "calls", "campaigns", "queue", "reviews", "teams"],
  "my-draws": ["access", "campaigns", "plans", "queue", "reviews"],
  calibrations: ["access", "campaigns", "queue", "reviews"],
  "review-screen": [
    "access",
    "calibrations",
    "call-notes",
    "call-page",
    "calls",
    "player",
    "queue",
    "review-form",
    "transcript",
  ],
  privacy: ["access", "audit", "campaigns"],
  workspace: ["access"],
  scores: ["access", "campaigns", "charts", "reviews", "teams", "workspace"],
  shell: ["access", "queue", "reviews", "uploads"],
};

const consoleFolders = Object.keys(consoleUses).join("|");

const rule = (name, from, to) => ({ name, severity: "error", from, to });

module.exports = {
  forbidden: [
    ...orderOf("server/src", uses, { other: ["commands", "platform", "testing"] }),
    ...Object.entries(inner).flatMap(([domain, uses]) => orderOf(`server/src/${domain}`, uses, notRoutes)),
    ...orderOf("console/src", consoleUses, { other: ["i18n", "ui"] }),
    rule("no-cycles", {}, { circular: true }),
    rule(
      "platform-knows-no-domain",
      { path: "^server/src/platform/", pathNot: "[.]test[.]ts$" },
      { path: "^server/src/", pathNot: "^server/src/platform/" },
    ),
    rule(
      "only-the-entry-sees-everything",
      { path: `^server/src/(${domains})/`, pathNot: "[.]test[.]ts$" },
      { path: "^server/src/([^/]+[.]ts$|commands/)" },
    ),
    rule(
      "http-stays-in-routes",
      { path: `^server/src/(${domains})/`, pathNot: "(routes|[.]test)[.]ts$" },
      { path: "^server/src/platform/http/|node_modules/(fastify|@fastify)/" },
    ),
    rule(
      "one-home-for-each-engine",
      { path: "^server/src/", pathNot: "^server/src/(platform/(database|storage|queue)|worker[.]ts|testing/)" },
      { path: "node_modules/(pg|@aws-sdk|pg-boss)/" },
    ),
    rule(
      "one-home-for-v8-flags",
      { path: "^server/src/", pathNot: "^server/src/platform/memory/" },
      { path: "^(node:)?v8$" },
    ),
    rule("portable-is-the-bottom", { path: "^portable/", pathNot: "[.]test[.]ts$" }, { pathNot: "^portable/" }),
    rule(
      "scoring-needs-nothing-but-zod",
      { path: "^scoring/src/", pathNot: "[.]test[.]ts$|/testing/" },
      { pathNot: "^scoring/src/|node_modules/zod/" },
    ),
    rule(
      "draws-is-above-portable-and-scoring",
      { path: "^draws/src/", pathNot: "[.]test[.]ts$" },
      { pathNot: "^(draws|portable|scoring)/|node_modules/(zod|@noble/hashes)/" },
    ),
    rule(
      "contract-is-above-portable-scoring-and-draws",
      { path: "^contract/" },
      { pathNot: "^(contract|portable|scoring|draws)/|node_modules/zod/" },
    ),
    rule("clients-speak-only-the-contract", { path: "^(sdk|cli|console|e2e|bench)/" }, { path: "^server/" }),
    rule(
      "the-sdk-needs-nothing-but-types",
      { path: "^sdk/src/", pathNot: "[.]test[.]ts$" },
      { pathNot: "^(sdk/src/|contract/|scoring/)", dependencyTypesNot: ["core"] },
    ),
    rule(
      "the-sdk-takes-only-types-of-contract-and-scoring",
      { path: "^sdk/src/" },
      { path: "^(contract|scoring)/", dependencyTypesNot: ["type-only"] },
    ),
    rule("clients-speak-through-the-sdk", { path: "^(cli|console)/" }, { path: "^contract/" }),
    rule("ui-knows-no-domain", { path: "^console/src/ui/" }, { path: `^console/src/(${consoleFolders})/` }),
    rule(
      "i18n-knows-no-texts",
      { path: "^console/src/i18n/", pathNot: "[.]test[.]ts$" },
      { path: "^console/src/[^/]+/", pathNot: "^console/src/i18n/" },
    ),
    rule(
      "only-the-console-entry-sees-all-pages",
      { path: "^console/src/[^/]+/" },
      { path: "^console/src/(app|main|pages)[.]tsx?$" },
    ),
    rule(
      "the-player-engine-draws-nothing",
      { path: "^console/src/player/engine/", pathNot: "[.]test[.]ts$" },
      { path: "^console/src/player/(?!engine/)" },
    ),
    rule(
      "waveforms-know-no-controls",
      { path: "^console/src/player/waveform/" },
      { path: "^console/src/player/[^/]+[.]tsx$" },
    ),
    rule("no-undeclared-packages", {}, { dependencyTypes: ["npm-no-pkg", "npm-unknown"] }),
    rule(
      "test-tools-stay-in-tests",
      { pathNot: "([.]test[.]tsx?$|-contract[.]ts$|/testing/|^(dev|e2e)/|^scoring/check/)" },
      { path: "([.]test[.]tsx?$|-contract[.]ts$|/testing/)" },
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)dist/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "default", "types"] },
    combinedDependencies: true,
  },
};
