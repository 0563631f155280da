import type { JsonObject } from "../../trajectory/json-fields.ts";
import type { RecordedPosition, RecordedRun, RecordedStep } from "../../trajectory/recorded-run.ts";
import { contentBlocks, contentText, toolResult, toolUse } from "../anthropic/content.ts";
import { type RequestModes, requestModes } from "../anthropic/request-modes.ts";
import {
  haveSameInput,
  largerTokens,
  type RequestTokens,
  recordedUsage,
  requestTokens,
} from "../anthropic/request-tokens.ts";
import { clipText } from "../clip.ts";
import { countPartialOutput, countWithoutUsage } from "../counting-notes.ts";
import { dollarsField, objectField, optional, textField } from "../fields.ts";
import { mainModel } from "../main-model.ts";
import { createPersonMessages } from "../person-messages.ts";
import { type ChildRun, createStepList, type OpenCall, type OpenStep } from "../step-list.ts";
import { callOutcome } from "./call-outcome.ts";
import { isCommand } from "./person-text.ts";
import { isUniqueKey } from "./request-key.ts";

/** An entry with a reply, or with one block of it. */
export interface ReplyEntry {
  readonly message: JsonObject;
  /** Identifies the model request; undefined if the entry says nothing about it. */
  readonly request: string | undefined;
  readonly at: number | undefined;
  readonly costUsd?: unknown;
  readonly position: RecordedPosition;
}

/** Results of calls beside a user's message. */
interface ResultEntry {
  readonly content: unknown;
  /** The structured copy of the only result. */
  readonly details?: unknown;
  /** Present when the call was denied. */
  readonly denial?: unknown;
  /** When the results were recorded. */
  readonly at?: number | undefined;
  /** The run of the subagent that the call started. */
  readonly child?: ChildRun | undefined;
}

/** What is known of the run besides its entries. */
type ThreadFacts = Pick<RecordedRun, "id" | "source"> &
  Partial<Pick<RecordedRun, "project" | "parent" | "isExcerpt" | "outcome">>;

/** Collects the conversation of one agent, the main one or a subagent. */
export interface Thread {
  reply(entry: ReplyEntry): void;
  results(entry: ResultEntry): void;
  /** A prompt of a person, or for a subagent the prompt of its parent. */
  prompt(text: string, isPerson: boolean): void;
  /** The context was compacted before the next reply. */
  compacted(): void;
  /** An entry whose request belongs to another thread. */
  copied(): void;
  connect(call: string, child: ChildRun): boolean;
  /** Whether the request of this entry is in the thread. */
  has(entry: ReplyEntry): boolean;
  /** Usage that is stated beside the newest reply of this request. */
  addUsage(request: string, usage: unknown): void;
  readonly isEmpty: boolean;
  /** The first prompt, word for word. */
  readonly firstPrompt: string | undefined;
  /** The calls with a prompt, which start subagents. */
  readonly promptCalls: readonly PromptCall[];
  /** undefined without a reply. */
  run(facts: ThreadFacts): RecordedRun | undefined;
}

interface PromptCall {
  readonly id: string;
  readonly prompt: string;
}

interface OpenRequest {
  readonly step: OpenStep;
  readonly texts: Set<string>;
  /** The calls, so that a repeated reply does not repeat them. */
  readonly calls: Map<string, OpenCall>;
  tokens: RequestTokens | undefined;
  modes: RequestModes;
  costUsd: number | undefined;
  /** Whether a result or a prompt came after it. */
  isAnswered: boolean;
}

/** Creates an empty thread. */
export function createThread(): Thread {
  const steps = createStepList();
  const requests = new Map<string, OpenRequest>();
  const keys: (string | undefined)[] = []; // the request of each step
  const promptCalls: PromptCall[] = [];
  const counting = { repeatedUsage: 0, copiedRequests: 0, syntheticReplies: 0, withoutUsage: 0, partialOutput: 0 };
  const prompts = createPersonMessages();
  const next: { compacted?: true } = {};
  let newest: OpenRequest | undefined;
  let firstPrompt: string | undefined;
  let task: string | undefined;

  function begin({ message, request, at, position }: ReplyEntry): OpenRequest {
    const model = textField(message["model"]);
    const step = steps.reply({
      ...optional("model", model),
      ...optional("at", at),
      ...prompts.take(),
      ...next,
      position,
    });
    keys.push(request);
    delete next.compacted;
    const opened: OpenRequest = {
      step,
      texts: new Set(),
      calls: new Map(),
      tokens: undefined,
      modes: {},
      costUsd: undefined,
      isAnswered: false,
    };
    if (request !== undefined) requests.set(request, opened);
    return opened;
  }

  /**
   * The request of an entry. Ids of gateways may be equal by chance, and people mask ids: then the place tells, and
   * behind a result or a prompt the input, which is the same in all entries of a request.
   */
  function openRequest({ message, request }: ReplyEntry): OpenRequest | undefined {
    const open = request === undefined ? newest : requests.get(request);
    if (open === undefined || (request !== undefined && isUniqueKey(request))) return open;
    const tokens = requestTokens(message["usage"]);
    const isNext = request !== undefined && !open.isAnswered;
    const hasSameInput = tokens !== undefined && open.tokens !== undefined && haveSameInput(tokens, open.tokens);
    return isNext || hasSameInput ? open : undefined;
  }

  /** A request may have several entries: each states the usage of all. */
  function addUsage(open: OpenRequest, { message, request, costUsd }: ReplyEntry): void {
    const tokens = requestTokens(message["usage"]);
    if (tokens === undefined) return;
    if (open.tokens !== undefined) counting.repeatedUsage++;
    open.tokens = open.tokens === undefined ? tokens : largerTokens(open.tokens, tokens);
    const cost = dollarsField(costUsd);
    open.modes = requestModes(message["usage"], open.modes);
    if (cost !== undefined) open.costUsd = Math.max(open.costUsd ?? 0, cost);
    const usage = {
      ...recordedUsage(open.tokens),
      ...optional("costUsd", open.costUsd),
      ...open.modes,
      ...optional("request", request),
    };
    open.step.amend({ usage });
  }

  function addContent(open: OpenRequest, { message, at, position }: ReplyEntry): void {
    const { content } = message;
    const text = contentText(content);
    const isLate = open !== newest; // the whole reply is repeated
    if (text !== "" && !isLate && !open.texts.has(text)) {
      open.texts.add(text);
      open.step.amend({ text });
    }
    for (const block of contentBlocks(content)) {
      const use = toolUse(block);
      if (use === undefined) continue;
      const { id, name, input } = use;
      const key = clipText(JSON.stringify([id, name, input]));
      if (open.calls.get(key)?.hasResult) continue; // a copy
      const prompt = textField(objectField(input)["prompt"]);
      if (id !== undefined && prompt !== undefined) promptCalls.push({ id, prompt });
      open.calls.set(key, open.step.call({ id, name, args: input, ...optional("at", at), position }));
    }
    addResults({ content });
  }

  function addResults({ content, details, denial, at, child }: ResultEntry): void {
    for (const block of contentBlocks(content)) {
      const result = toolResult(block);
      if (result === undefined) continue;
      steps.result(result.id, { ...callOutcome(result, details, denial), ...optional("endedAt", at), ...child });
    }
  }

  return {
    reply(entry) {
      if (entry.message["model"] === "<synthetic>") {
        counting.syntheticReplies++;
        return;
      }
      const known = openRequest(entry);
      const open = known ?? begin(entry);
      if (known === undefined) newest = open;
      addUsage(open, entry);
      addContent(open, entry);
    },
    results(entry) {
      if (newest !== undefined) newest.isAnswered = true;
      addResults(entry);
    },
    addUsage(request, usage) {
      const open = requests.get(request);
      if (open !== undefined) addUsage(open, { message: { usage }, request, at: undefined, position: {} });
    },
    prompt(text, isPerson) {
      firstPrompt ??= text;
      if (task === undefined || isCommand(task)) task = isCommand(text) ? (task ?? text) : text;
      if (isPerson) prompts.add(text);
    },
    compacted() {
      next.compacted = true;
    },
    copied() {
      counting.copiedRequests++;
    },
    connect: (call, child) => steps.connect(call, child),
    has: (entry) => openRequest(entry) !== undefined,
    get isEmpty() {
      return steps.isEmpty;
    },
    get firstPrompt() {
      return firstPrompt;
    },
    promptCalls,
    run(facts) {
      if (steps.isEmpty) return undefined;
      const list = steps.steps().map((step, index) => withCopyKey(step, keys[index]));
      counting.withoutUsage = countWithoutUsage(list);
      counting.partialOutput = countPartialOutput(list);
      const model = mainModel(list);
      return {
        ...facts,
        ...optional("model", model),
        ...optional("task", task),
        ...optional("counting", steps.counting(counting)),
        steps: list.map((step) => withoutModel(step, model)),
      };
    },
  };
}

/** The model of a step is left out where it is that of the run. */
function withoutModel(step: RecordedStep, model: string | undefined): RecordedStep {
  if (step.model !== model || model === undefined) return step;
  const { model: _, ...rest } = step;
  return rest;
}

function withCopyKey(step: RecordedStep, key: string | undefined): RecordedStep {
  return step.usage !== undefined || step.calls.length === 0 ? step : { ...step, ...optional("copyKey", key) };
}
