import { type Clock, machineClock } from "../protocol/clock.ts";
import type { MemoryStore } from "../stores/stores.ts";
import { type Ask, askUserTool } from "./ask-user-tool.ts";
import { type BashToolOptions, bashTool } from "./bash-tool.ts";
import { editTool } from "./edit-tool.ts";
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
  /** Absolute. Calls on the same file are known by it. */
  readonly workspace: string;
  /** Absent: nobody watches, and the model is told so. */
  readonly ask?: Ask;
  /** Absent: there are no memory tools. */
  readonly memory?: MemoryStore;
  /** Absent: there are no subagents. */
  readonly spawn?: Spawn;
  readonly readRegistry?: ReadRegistry;
  readonly bash?: BashToolOptions;
  readonly webFetch?: WebFetchToolOptions;
  readonly clock?: Clock;
}

/** The tools an agent has from the start. */
export function builtinTools({ workspace, ask, memory, spawn, bash, webFetch, ...rest }: BuiltinToolsOptions): Tool[] {
  const { readRegistry = createReadRegistry(), clock = machineClock } = rest;
  const files = { workspace, readRegistry };
  return [
    readTool(files),
    writeTool(files),
    editTool(files),
    globTool(files),
    grepTool({ workspace, clock }),
    bashTool({ clock, ...bash }),
    webFetchTool(webFetch),
    askUserTool(ask),
    ...(memory === undefined ? [] : [memoryWriteTool(memory, clock), memorySearchTool(memory)]),
    ...(spawn === undefined ? [] : [spawnTool(spawn)]),
  ];
}
