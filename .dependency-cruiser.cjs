/** Each domain and the domains it may use, from the bottom of the house to the top. */
const uses = {
  audit: [],
  workspaces: ["audit"],
  events: [],
  webhooks: ["audit", "events"],
  limits: ["audit", "workspaces", "webhooks"],
  campaigns: ["audit", "events"],
  access: ["audit", "events", "campaigns", "limits", "users", "workspaces"],
  users: ["audit", "events"],
  calls: ["audit", "workspaces", "events", "users", "campaigns"],
  privacy: ["audit", "workspaces", "events", "users", "access", "campaigns", "calls"],
};
const domains = Object.keys(uses).join("|");

const domainOrder = Object.entries(uses).map(([domain, allowed]) => ({
  name: `${domain}-uses-only-what-is-below-it`,
  severity: "error",
  from: { path: `^server/src/${domain}/` },
  to: { path: `^server/src/(${domains})/`, pathNot: `^server/src/(${[domain, ...allowed].join("|")})/` },
}));

const rule = (name, from, to) => ({ name, severity: "error", from, to });

module.exports = {
  forbidden: [
    ...domainOrder,
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
    rule("contract-is-the-bottom", { path: "^contract/" }, { pathNot: "^contract/|node_modules/zod/" }),
    rule("clients-speak-only-the-contract", { path: "^(sdk|cli|console|e2e|bench)/" }, { path: "^server/" }),
    rule(
      "the-sdk-needs-nothing-but-types",
      { path: "^sdk/src/", pathNot: "[.]test[.]ts$" },
      { pathNot: "^(sdk/src/|contract/)", dependencyTypesNot: ["core"] },
    ),
    rule(
      "the-sdk-takes-only-types-of-the-contract",
      { path: "^sdk/src/" },
      { path: "^contract/", dependencyTypesNot: ["type-only"] },
    ),
    rule("clients-speak-through-the-sdk", { path: "^(cli|console)/" }, { path: "^contract/" }),
    rule("ui-knows-no-domain", { path: "^console/src/ui/" }, { path: "^console/src/(?!ui/|i18n/)" }),
    rule("no-undeclared-packages", {}, { dependencyTypes: ["npm-no-pkg", "npm-unknown"] }),
    rule(
      "test-tools-stay-in-tests",
      { pathNot: "([.]test[.]tsx?$|-contract[.]ts$|/testing/|^dev/)" },
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
