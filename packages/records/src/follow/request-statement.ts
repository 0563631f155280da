import type { RequestModes } from "../readers/anthropic/request-modes.ts";
import type { RequestTokens } from "../readers/anthropic/request-tokens.ts";
import type { JsonObject } from "../trajectory/json-fields.ts";

/** What a line of a recording says about the usage of a model request. Several lines may be about one request. */
export interface RequestStatement {
  /** Identifies the request in all files; absent if each statement is about another one. */
  readonly request?: string;
  readonly model?: string;
  /** Milliseconds since 1970. */
  readonly at?: number;
  readonly tokens: RequestTokens;
  readonly modes?: RequestModes;
  /** What the agent itself recorded. */
  readonly costUsd?: number;
}

/** How usage is read from the lines of a format while they are written. */
export interface FollowedFormat {
  /** Texts of which every line of interest has one, so that other lines are not parsed. */
  readonly marks: readonly string[];
  /** Continues where a memory was made. Memories are plain JSON. */
  open(memory: unknown): LineFollower;
}

interface LineFollower {
  line(line: JsonObject): RequestStatement | undefined;
  memory(): unknown;
}
