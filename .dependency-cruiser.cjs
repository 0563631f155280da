/**
 * The direction of dependencies: guardian ← records ← agent, integrations ← sheepdog, and inside each package the order
 * of its folders. Type imports count. A package is entered through its exports only.
 */
const inside = (name) => `^packages/${name}/(?:src|bin)/`;
const test = "\\.test\\.tsx?$|^packages/[^/]+/test/|/testing/";

/** Development dependencies that the build puts into the product, or that are optional peers. */
const bundled = [
  ...["commander", "diff", "gpt-tokenizer", "ink", "react", "@types/react"],
  ...["hono", "@hono", "marked", "preact", "@preact", "@opentelemetry", "@modelcontextprotocol"],
  ...["ws", "@types/ws", "nodemailer"],
];

/** Each folder or file of a package with what it may import besides itself; others may import everything. */
const layers = {
  guardian: {
    "perceive/": [],
    "policy/": ["perceive/"],
    "signal.ts": ["perceive/", "policy/"],
    "state/": ["perceive/", "policy/", "signal.ts"],
    "words.ts": ["policy/", "state/"],
    "limits/": ["policy/", "state/", "signal.ts", "words.ts"],
    "detect/": ["perceive/", "policy/", "state/", "signal.ts", "words.ts"],
    "signals/": ["perceive/", "policy/", "state/", "limits/", "detect/", "signal.ts", "words.ts"],
    "secrets/": [],
    "opinion/": ["perceive/", "state/", "signal.ts", "secrets/"],
    "seeds/": ["perceive/", "policy/", "detect/"],
  },
  records: {
    "platform/": [],
    "trajectory/": [],
    "pricing/": [],
    "readers/": ["trajectory/", "platform/"],
    "discovery/": ["readers/"],
    "costs/": ["trajectory/", "pricing/"],
    "follow/": ["trajectory/", "pricing/", "readers/", "costs/"],
    "analyze/": ["trajectory/", "readers/", "platform/"],
  },
  integrations: {
    "guard/": [],
    "hooks/": [],
    "opencode/": ["hooks/plugin-event.ts"],
    "ai-sdk/": ["guard/"],
    "claude-agent-sdk/": ["guard/", "hooks/"],
    "langgraph/": ["guard/"],
    "langchain/": ["guard/", "langgraph/"],
    "mastra/": ["guard/"],
    "openai-agents/": ["guard/"],
  },
  agent: {
    "async/": [],
    "protocol/": ["async/"],
    "timeline/": ["protocol/"],
    "opentelemetry/": ["protocol/"],
    "secrets/": ["protocol/"],
    "tools/": ["protocol/", "async/", "secrets/"],
    "mcp/": ["protocol/", "async/", "secrets/", "tools/"],
    "gate/": ["protocol/", "async/", "secrets/", "tools/tool.ts", "tools/sandbox/git-folder"],
    "gate/risk/": ["gate/gate.ts"],
    "gate/command/": ["gate/gate.ts", "gate/risk/"],
    "gate/files/": ["protocol/", "gate/gate.ts", "gate/risk/", "gate/command/"],
    "gate/programs/": ["protocol/", "gate/risk/", "gate/command/", "gate/files/", "tools/sandbox/git-folder"],
    "gate/shell/": ["protocol/", "gate/risk/", "gate/command/", "gate/files/", "gate/programs/"],
    "provider/": ["protocol/", "async/", "secrets/", "tools/tool.ts"],
    "context/": ["protocol/", "async/", "secrets/"],
    "goals/": ["protocol/", "async/", "gate/gate.ts", "tools/tool.ts"],
    "director/": ["protocol/", "goals/", "tools/"],
    "stores/": ["protocol/", "async/", "secrets/", "logs/"],
    "events/": ["protocol/", "async/", "secrets/"],
    "logs/": ["protocol/", "async/", "events/"],
    "safety/": ["protocol/", "secrets/", "gate/gate.ts", "gate/risk/patterns.ts", "stores/stores.ts"],
    "guard/": ["protocol/", "async/", "secrets/", "stores/stores.ts", "tools/tool-registry.ts"],
    "costs/": ["async/", "protocol/", "guard/", "stores/stores.ts"],
    "session/": ["protocol/", "secrets/", "stores/", "events/", "costs/"],
    "loop/": [
      ...["protocol/", "async/", "secrets/", "tools/", "gate/", "provider/", "context/", "goals/", "stores/stores.ts"],
      ...["events/", "guard/", "costs/", "session/", "safety/"],
    ],
  },
};

const layerRules = Object.entries(layers).flatMap(([name, folders]) =>
  Object.entries(folders).map(([folder, imports]) => ({
    name: `${name}-${folder.replace(/\W/g, "")}`,
    comment: `${folder} of ${name} may import ${imports.join(", ") || "nothing else of its package"}.`,
    severity: "error",
    from: { path: `^packages/${name}/src/${folder}`, pathNot: test },
    to: {
      path: `^packages/${name}/src/`,
      pathNot: [folder, ...imports].map((allowed) => `^packages/${name}/src/${allowed}`),
    },
  })),
);

/**
 * The rooms of packages/sheepdog: config ← compose ← render, saved-runs, control, recordings ← sentences ← look-back,
 * run-commands ← server ← channels ← commands. Type imports count.
 */
const cli = "^packages/sheepdog/src";
const sheepdogRooms = [
  {
    name: "sheepdog-terminal-is-a-leaf",
    comment: "render/terminal has text functions for every room, and imports none of them.",
    severity: "error",
    from: { path: `${cli}/render/terminal/`, pathNot: test },
    to: { path: `${cli}/[^/]+/`, pathNot: `${cli}/render/terminal/` },
  },
  ...Object.entries({
    config: ["config"],
    hook: ["config", "hook"],
    opentelemetry: ["config", "opentelemetry"],
    compose: ["config", "compose", "opentelemetry"],
    "render/timeline": ["config", "compose", "render"],
    "saved-runs": ["config", "compose", "render", "saved-runs"],
    control: ["config", "compose", "control"],
    recordings: ["config", "compose", "recordings"],
    attach: ["config", "render", "hook", "attach"],
    sentences: ["config", "compose", "render", "saved-runs", "sentences"],
    "look-back": ["config", "compose", "render", "saved-runs", "recordings", "sentences", "look-back"],
    "run-commands": ["config", "compose", "control", "saved-runs", "render", "recordings", "run-commands"],
    server: [
      ...["config", "compose", "control", "saved-runs", "render", "recordings", "sentences", "look-back", "doctor"],
      ...["run-commands", "server"],
    ],
    channels: ["config", "compose", "control", "render", "channels", "sentences"],
  }).map(([room, allowed]) => ({
    name: `sheepdog-${room.replace("/", "-")}-imports`,
    severity: "error",
    from: { path: `${cli}/${room}/`, pathNot: test },
    to: { path: `${cli}/[^/]+/`, pathNot: `${cli}/(?:${allowed.join("|")}|render/terminal)/` },
  })),
  {
    name: "sheepdog-three-commands-serve",
    comment: "Only `serve`, `show --web` and `demo --web` start the server.",
    severity: "error",
    from: { path: `${cli}/commands/`, pathNot: [test, `${cli}/commands/(?:serve|show|demo)/`] },
    to: { path: `${cli}/server/` },
  },
  {
    name: "sheepdog-commands-are-independent",
    comment: "A command imports no other command; shared code lives in a room or beside the commands.",
    severity: "error",
    from: { path: `${cli}/commands/([^/]+)/`, pathNot: test },
    to: { path: `${cli}/commands/[^/]+/`, pathNot: `${cli}/commands/$1/` },
  },
];

module.exports = {
  forbidden: [
    {
      name: "no-circles",
      comment: "Not even by type imports.",
      severity: "error",
      from: { path: "^packages/[^/]+/src/" },
      to: { circular: true },
    },
    ...layerRules,
    {
      name: "the-guardian-is-pure",
      comment: "No dependency, no Node API: the guardian imports nothing but itself.",
      severity: "error",
      from: { path: inside("guardian"), pathNot: test },
      to: { pathNot: "^packages/guardian/src/" },
    },
    {
      name: "records-import-the-guardian-only",
      severity: "error",
      from: { path: inside("records") },
      to: { path: "^packages/", pathNot: "^packages/(?:records|guardian)/" },
    },
    {
      name: "the-agent-imports-records-and-guardian-only",
      severity: "error",
      from: { path: inside("agent") },
      to: { path: "^packages/", pathNot: "^packages/(?:agent|records|guardian)/" },
    },
    {
      name: "integrations-import-records-and-guardian-only",
      severity: "error",
      from: { path: inside("integrations") },
      to: { path: "^packages/", pathNot: "^packages/(?:integrations|records|guardian)/" },
    },
    {
      name: "nothing-imports-sheepdog",
      severity: "error",
      from: { pathNot: "^packages/sheepdog/" },
      to: { path: "^packages/sheepdog/" },
    },
    {
      name: "through-the-exports",
      comment: "Another package is entered through its exports, never by a path.",
      severity: "error",
      from: { path: "^packages/([^/]+)/" },
      to: { path: "^packages/", pathNot: "^packages/$1/", dependencyTypes: ["local"] },
    },
    ...sheepdogRooms,
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "no-development-tool-in-the-product",
      severity: "error",
      from: { path: "^packages/[^/]+/src/", pathNot: test },
      to: { dependencyTypes: ["npm-dev"], pathNot: `node_modules/(?:${bundled.join("|")})/` },
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
