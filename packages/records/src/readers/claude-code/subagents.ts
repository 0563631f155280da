import type { JsonObject } from "../../trajectory/json-fields.ts";
import { textField } from "../fields.ts";
import { createThread, type Thread } from "./thread.ts";

/** A subagent whose lines are in the file that is read. */
export interface Subagent {
  readonly id: string;
  readonly thread: Thread;
  /** The session that started it. */
  readonly session: string | undefined;
  /** The call that started it, if a line says so. */
  readonly call: string | undefined;
  /** Present when all its lines are repeated by its parent. */
  readonly isExcerpt: boolean;
}

/** Sorts lines by subagents. */
export interface Subagents {
  /** The subagent of a line with `isSidechain`. */
  ofLine(line: JsonObject): Subagent;
  /** The subagent that a line of its parent is about. */
  excerpt(agent: string, parent: { readonly session: string | undefined; readonly call: string | undefined }): Subagent;
  /** In the order of their first lines. */
  all(): readonly Subagent[];
}

/** The id of a subagent's run. Ids of agents are short, so they may occur in several sessions. */
export function subagentId(session: string | undefined, agent: string): string {
  return session === undefined ? agent : `${session}/${agent}`;
}

type DraftSubagent = { -readonly [K in keyof Subagent]: Subagent[K] };

/** Creates an empty collection. */
export function createSubagents(): Subagents {
  const byId = new Map<string, DraftSubagent>();
  const byUuid = new Map<string, DraftSubagent>(); // lines of versions that name no agent
  let newest: DraftSubagent | undefined;

  function subagent(session: string | undefined, agent: string): DraftSubagent {
    const id = subagentId(session, agent);
    const known = byId.get(id);
    if (known !== undefined) return known;
    const created: DraftSubagent = { id, thread: createThread(), session, call: undefined, isExcerpt: false };
    byId.set(id, created);
    return created;
  }

  /** Each subagent is a chain of lines that begins with a prompt; several may alternate. */
  function inChain(session: string | undefined, { parentUuid, type }: JsonObject, uuid: string): DraftSubagent {
    const parent = textField(parentUuid);
    const known = parent === undefined ? undefined : byUuid.get(parent);
    if (known !== undefined) return known;
    const isBeginning = parent === undefined || type === "user";
    return isBeginning || newest === undefined ? subagent(session, uuid) : newest; // its parent is a damaged line
  }

  return {
    ofLine(line) {
      const session = textField(line["sessionId"]);
      const agent = textField(line["agentId"]);
      const uuid = textField(line["uuid"]) ?? "unnamed";
      newest = agent === undefined ? inChain(session, line, uuid) : subagent(session, agent);
      if (agent === undefined) byUuid.set(uuid, newest);
      newest.isExcerpt = false;
      return newest;
    },
    excerpt(agent, { session, call }) {
      const isNew = !byId.has(subagentId(session, agent));
      const found = subagent(session, agent);
      if (isNew) found.isExcerpt = true;
      found.call ??= call;
      return found;
    },
    all: () => [...byId.values()],
  };
}
