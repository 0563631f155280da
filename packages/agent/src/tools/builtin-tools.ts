import { type Clock, machineClock } from "../protocol/clock.ts";
import { createRedact, type Redact } from "../secrets/redact.ts";
import { type Ask, askUserTool } from "./ask-user-tool.ts";
import { type BashToolOptions, bashTool } from "./bash-tool.ts";
import { editTool } from "./edit-tool.ts";
import type { FactMemory } from "./fact-memory.ts";
import { createReadRegistry, type ReadRegistry } from "./files/read-registry.ts";
import { globTool } from "./glob-tool.ts";
import { grepTool } from "./grep-tool.ts";
import { memorySearchTool } from "./memory-search-tool.ts";
import { memoryWriteTool } from "./memory-write-tool.ts";
import { readTool } from "./read-tool.ts";
import { type Spawn, spawnTool } from "./spawn-tool.ts";
import type { Tool } from "./tool.ts";
import { type WebFetchToolOptions, webFetchTool } from "./web-fetch-tool.ts";
import { writeTool } from "./write-tool.ts";

export interface BuiltinToolsOptions {
  /** Absolute path of the workspace. */
  readonly workspace: string;
  /** Absent: `ask_user` tells the model that the run is unattended. */
  readonly ask?: Ask;
  /** How long `ask_user` waits for an answer; default: without limit. */
  readonly answerTimeoutMs?: number | undefined;
  /** Absent: there are no memory tools. */
  readonly memory?: FactMemory;
  /** Absent: there is no `spawn` tool. */
  readonly spawn?: Spawn;
  readonly readRegistry?: ReadRegistry;
  readonly bash?: BashToolOptions;
  readonly webFetch?: WebFetchToolOptions;
  readonly clock?: Clock;
  /** Removes secrets from remembered facts; default: those with a known form. */
  readonly redact?: Redact;
}

/** The tools that ship with the agent. */
export function builtinTools(options: BuiltinToolsOptions): Tool[] {
  const { workspace, ask, answerTimeoutMs, memory, spawn, bash, webFetch } = options;
  const { readRegistry = createReadRegistry(), clock = machineClock, redact = createRedact() } = options;
  return [
    readTool({ workspace, readRegistry }),
    writeTool({ workspace, readRegistry }),
    editTool({ workspace, readRegistry }),
    globTool({ workspace }),
    grepTool({ workspace, clock }),
    bashTool({ clock, ...bash }),
    webFetchTool(webFetch),
    askUserTool(ask, { answerTimeoutMs, clock }),
    ...(memory === undefined ? [] : [memoryWriteTool(memory, { clock, redact }), memorySearchTool(memory)]),
    ...(spawn === undefined ? [] : [spawnTool(spawn)]),
  ];
}
