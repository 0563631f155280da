import { type Clock, machineClock } from "../protocol/clock.ts";
import type { MemoryStore } from "../stores/stores.ts";
import { type Ask, askUserTool } from "./ask-user.ts";
import { type BashToolOptions, bashTool } from "./bash.ts";
import { editTool } from "./edit.ts";
import { createReadRegistry, type ReadRegistry } from "./files/read-registry.ts";
import { globTool } from "./glob.ts";
import { grepTool } from "./grep.ts";
import { memorySearchTool } from "./memory-search.ts";
import { memoryWriteTool } from "./memory-write.ts";
import { readTool } from "./read.ts";
import { type Spawn, spawnTool } from "./spawn.ts";
import type { Tool } from "./tool.ts";
import { type WebFetchToolOptions, webFetchTool } from "./web-fetch.ts";
import { writeTool } from "./write.ts";

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
