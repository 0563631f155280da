/** The direction of dependencies: guardian ← records ← agent ← sheepdog. A package is entered through its exports only. */
const inside = (name) => `^packages/${name}/(?:src|bin)/`;
const test = "\\.test\\.ts$|^packages/[^/]+/test/";

module.exports = {
  forbidden: [
    {
      name: "no-circles",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "the-guardian-is-pure",
      comment: "No dependency, no Node API: the guardian imports nothing but itself.",
      severity: "error",
      from: { path: inside("guardian"), pathNot: test },
      to: { pathNot: "^packages/guardian/src/" },
    },
    {
      name: "records-know-the-guardian-only",
      severity: "error",
      from: { path: inside("records") },
      to: { path: "^packages/", pathNot: "^packages/(?:records|guardian)/" },
    },
    {
      name: "the-agent-knows-records-and-guardian-only",
      severity: "error",
      from: { path: inside("agent") },
      to: { path: "^packages/", pathNot: "^packages/(?:agent|records|guardian)/" },
    },
    {
      name: "nothing-imports-sheepdog",
      severity: "error",
      from: { pathNot: "^packages/sheepdog/" },
      to: { path: "^packages/sheepdog/" },
    },
    {
      name: "through-the-door",
      comment: "Another package is entered through its exports, never by a path.",
      severity: "error",
      from: { path: "^packages/([^/]+)/" },
      to: { path: "^packages/", pathNot: "^packages/$1/", dependencyTypes: ["local"] },
    },
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "no-development-tool-in-the-product",
      severity: "error",
      from: { path: "^packages/[^/]+/src/", pathNot: test },
      to: { dependencyTypes: ["npm-dev"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "/dist/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["@sheepdog/source", "import", "node", "default"],
      extensions: [".ts", ".js"],
    },
  },
};
