import { join, resolve } from "node:path";

/** What decides where agents keep their recordings. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeFolder: string;
  readonly platform: NodeJS.Platform;
}

/** A place where an agent keeps recordings. */
export interface AgentPlace {
  /** The id of the agent, which is the `source` of its runs: `claude-code`. */
  readonly agent: string;
  /** The name as people write it: "Claude Code". */
  readonly label: string;
  /** A folder or a file. A `*` stands for any characters within a name. */
  readonly path: string;
  /** Holds what an older version wrote, and a newer one copied to the places before this one. */
  readonly isOutdated?: true;
  /** Holds what Sheepdog's hooks recorded of sessions that the agent itself records as well. */
  readonly isOfHooks?: true;
}

/** The standard places of all agents. They need not exist. Where a variable names a folder, the default is left out. */
export function agentPlaces(machine: Machine): readonly AgentPlace[] {
  const folders = foldersOf(machine);
  return [
    ...agents.flatMap(({ id, label, places }) => places(folders).map((place) => ({ agent: id, label, ...place }))),
    ...attachable.map((id) => ({
      agent: id,
      label: labelOf(id),
      path: folders.attached(id),
      isOfHooks: true as const,
    })),
  ];
}

/** The agents to which Sheepdog can be attached: the folder of each in Sheepdog's home has its id. */
const attachable = ["claude-code", "codex", "gemini-cli", "cursor", "opencode"];

function labelOf(id: string): string {
  return agents.find((agent) => agent.id === id)?.label ?? id;
}

type Place = Pick<AgentPlace, "path" | "isOutdated">;

interface Agent {
  readonly id: string;
  readonly label: string;
  places(folders: Folders): readonly Place[];
}

const agents: readonly Agent[] = [
  {
    id: "claude-code",
    label: "Claude Code",
    places: ({ home, named }) =>
      below(named("CLAUDE_CONFIG_DIR") ?? [home(".claude"), home(".config/claude")], "projects"),
  },
  {
    id: "codex",
    label: "Codex",
    places: ({ home, named }) => below(named("CODEX_HOME") ?? [home(".codex")], "sessions", "archived_sessions"),
  },
  {
    id: "gemini-cli",
    label: "Gemini CLI",
    places: ({ home, named }) => below(named("GEMINI_CLI_HOME") ?? [home("")], ".gemini/tmp/*/chats"),
  },
  {
    id: "qwen-code",
    label: "Qwen Code",
    places: ({ home, named }) =>
      below(named("QWEN_RUNTIME_DIR") ?? named("QWEN_HOME") ?? [home(".qwen")], ...["projects/*/chats", "tmp/*/chats"]),
  },
  {
    id: "opencode",
    label: "opencode",
    places: ({ data, named }) => [
      ...below(named("OPENCODE_DB") ?? [], ""),
      ...below([data("opencode")], "opencode*.db"),
      ...outdated(below([data("opencode")], "storage")),
    ],
  },
  {
    id: "kilo",
    label: "Kilo",
    places: ({ data }) => [
      ...below([data("kilo")], "kilo*.db", "opencode*.db"),
      ...outdated(below([data("kilo")], "storage")),
    ],
  },
  {
    id: "openhands",
    label: "OpenHands",
    places: ({ home, named }) => {
      const folders = named("OPENHANDS_PERSISTENCE_DIR") ?? [home(".openhands")];
      const conversations = named("OPENHANDS_CONVERSATIONS_DIR");
      return conversations === undefined ? below(folders, "conversations", "sessions") : below(conversations, "");
    },
  },
  {
    id: "pi",
    label: "pi",
    places: ({ home, named }) => {
      const sessions = named("PI_CODING_AGENT_SESSION_DIR");
      if (sessions !== undefined) return below(sessions, "");
      return below(named("PI_CODING_AGENT_DIR") ?? [home(".pi/agent")], "sessions");
    },
  },
  {
    id: "openclaw",
    label: "OpenClaw",
    places: ({ home, named }) =>
      below(named("OPENCLAW_STATE_DIR") ?? [home(".openclaw"), home(".clawdbot")], "agents/*/sessions"),
  },
  {
    id: "cursor",
    label: "Cursor",
    places: () => [], // its recordings are in no documented format
  },
  {
    id: "goose",
    label: "goose",
    places: ({ home, data, named, isMac }) => {
      const folders = named("GOOSE_PATH_ROOT")?.map((folder) => join(folder, "data")) ?? [
        data("goose"),
        data("Block/goose"),
        ...(isMac ? [home("Library/Application Support/Block/goose"), home("Library/Application Support/goose")] : []),
      ];
      return below(folders, "sessions/sessions.db");
    },
  },
  {
    id: "hermes",
    label: "hermes",
    places: ({ home, named }) => below(named("HERMES_HOME") ?? [home(".hermes")], "state.db"),
  },
  {
    id: "copilot",
    label: "Copilot CLI",
    places: ({ home, named }) => [
      ...below(named("COPILOT_OTEL_FILE_EXPORTER_PATH") ?? [], ""),
      ...below(named("COPILOT_HOME") ?? [home(".copilot")], "otel"),
    ],
  },
];

/** The ids of the agents with recordings in known places. */
export const agentIds: readonly string[] = agents.map(({ id }) => id);

interface Folders {
  home(path: string): string;
  /** A folder of data by the XDG rules, which these agents follow on macOS too. */
  data(path: string): string;
  /** The paths in a variable, separated by commas; undefined if it is not set. */
  named(variable: string): readonly string[] | undefined;
  /** The recordings that hooks of this agent made. */
  attached(id: string): string;
  readonly isMac: boolean;
}

function foldersOf({ env, homeFolder, platform }: Machine): Folders {
  const home = (path: string) => join(homeFolder, path);
  const named = (variable: string) => {
    const texts = (env[variable] ?? "").split(",").map((text) => text.trim());
    const paths = texts.filter((text) => text !== "").map((text) => resolve(text.replace(/^~(?=\/|$)/, homeFolder)));
    return paths.length === 0 ? undefined : paths;
  };
  const dataFolder = named("XDG_DATA_HOME")?.[0] ?? home(".local/share");
  const sheepdogFolder = resolve(env["SHEEPDOG_HOME"]?.trim() || home(".sheepdog"));
  return {
    home,
    data: (path) => join(dataFolder, path),
    named,
    attached: (id) => join(sheepdogFolder, "attach", id, "*.jsonl"),
    isMac: platform === "darwin",
  };
}

function below(folders: readonly string[], ...paths: readonly string[]): readonly Place[] {
  return folders.flatMap((folder) => paths.map((path) => ({ path: join(folder, path) })));
}

function outdated(places: readonly Place[]): readonly Place[] {
  return places.map((place) => ({ ...place, isOutdated: true }));
}
