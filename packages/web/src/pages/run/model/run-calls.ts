import type { WireEvent } from "../../../contract/index.ts";
import { type Call, callText, kindOf, stableJson } from "./call.ts";
import type { Item } from "./item.ts";

type EventOf<Type extends WireEvent["type"]> = Extract<WireEvent, { readonly type: Type }>;

/** The calls of a run as its events tell them. Each has an item, which is replaced when its result comes. */
export interface RunCalls {
  readonly calls: readonly Call[];
  readonly callById: ReadonlyMap<string, Call>;
  readonly failures: number;
  start(event: EventOf<"ToolStart">, turn: number): void;
  end(event: EventOf<"ToolEnd">, turn: number): void;
  refuse(event: EventOf<"ToolBlocked">, turn: number): void;
}

/** Creates the calls of a run that has none; they are added to `items`. */
export function createRunCalls(items: Item[]): RunCalls {
  const calls: Call[] = [];
  const callById = new Map<string, Call>();
  const placeOfCall = new Map<string, number>();
  let failures = 0;

  const put = (call: Call) => {
    calls[call.number - 1] = call;
    callById.set(call.callId, call);
    const item: Item = { type: "call", seq: call.seq, at: call.at, turn: call.turn, call };
    const place = placeOfCall.get(call.callId);
    if (place === undefined) placeOfCall.set(call.callId, items.push(item) - 1);
    else items[place] = item;
  };
  const known = (event: EventOf<"ToolStart" | "ToolEnd" | "ToolBlocked">, turn: number): Call =>
    callById.get(event.callId) ?? newCall(event, { number: calls.length + 1, turn });

  return {
    calls,
    callById,
    get failures() {
      return failures;
    },
    start(event, turn) {
      if (!callById.has(event.callId)) put(known(event, turn));
    },
    end(event, turn) {
      const call = known(event, turn);
      if (call.refusedBy !== null) return; // the result repeats the refusal
      const isFailed = isFailure(event.status);
      if (isFailed) failures += 1;
      put({
        ...call,
        endSeq: event.seq,
        ms: event.ms,
        status: event.status,
        content: event.content,
        isFailed,
        refusedBy: event.status === "denied" ? "user" : null,
        diff: event.diff ?? null,
        isCut: call.isCut || event.cut !== undefined,
      });
    },
    refuse(event, turn) {
      const { seq, message, by } = event;
      put({ ...known(event, turn), endSeq: seq, ms: 0, status: "blocked", content: message, refusedBy: by });
    },
  };
}

function newCall(
  event: EventOf<"ToolStart" | "ToolEnd" | "ToolBlocked">,
  { number, turn }: Pick<Call, "number" | "turn">,
): Call {
  const { callId, seq, tool, input } = event;
  return {
    callId,
    seq,
    endSeq: null,
    number,
    turn,
    tool,
    input,
    kind: kindOf(tool, input, event.type === "ToolStart" ? event.kind : undefined),
    text: callText(tool, input),
    key: `${tool} ${stableJson(input)}`,
    at: event.type === "ToolEnd" ? event.at - event.ms : event.at,
    ms: null,
    status: null,
    content: "",
    isFailed: false,
    refusedBy: null,
    diff: null,
    isCut: event.cut !== undefined,
  };
}

/** Whether a result counts as a failure. A refused or interrupted call did not fail by itself. */
function isFailure(status: string): boolean {
  return !["ok", "unknown", "denied", "blocked", "interrupted"].includes(status);
}
