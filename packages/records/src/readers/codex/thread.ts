import { basename } from "node:path";
import type { JsonObject } from "../../trajectory/json-fields.ts";
import type { RecordedRun } from "../../trajectory/recorded-run.ts";
import { clipText } from "../clip.ts";
import { objectField, optional, textField } from "../fields.ts";

/** What a rollout says about its thread. */
export interface Thread {
  /** The id of the thread that recorded the newest lines first: a fork begins with lines of another thread. */
  readonly origin: string;
  readonly isSubagent: boolean;
  /** The model of the current turn. */
  readonly model: string | undefined;
  /** How the newest turn ended. */
  outcome: string | undefined;
  meta(meta: JsonObject): void;
  turnContext(context: JsonObject): void;
  setModel(model: unknown): void;
  /** A message that begins a turn; the first one is the task. */
  prompt(text: string): void;
  /** A message that a person may have written; the task where nothing says so for certain. */
  likelyPrompt(text: string): void;
  /** A message from another agent, the task of a subagent that got no prompt. */
  message(content: unknown): void;
  /** Whether a line with this ordinal belongs to the thread that this subagent was forked from. */
  isInherited(ordinal: unknown): boolean;
  run(): Omit<RecordedRun, "steps" | "model">;
}

/** Creates an unknown thread. */
export function createThread(file: string): Thread {
  let own: JsonObject | undefined;
  let origin = "";
  let cwd: string | undefined;
  let model: string | undefined;
  let task: string | undefined;
  let likelyTask: string | undefined;
  let firstMessage: string | undefined;

  const setModel = (value: unknown) => {
    model = textField(value) ?? model;
  };
  const subagent = () => objectField(objectField(own)["source"])["subagent"];

  return {
    get origin() {
      return origin;
    },
    get isSubagent() {
      return subagent() !== undefined || own?.["thread_source"] === "subagent";
    },
    get model() {
      return model;
    },
    outcome: undefined,
    meta(meta) {
      own ??= meta;
      origin = textField(meta["id"]) ?? origin;
      if (own === meta) setModel(meta["model"]);
    },
    turnContext(context) {
      cwd ??= textField(context["cwd"]);
      setModel(context["model"]);
    },
    setModel,
    prompt(text) {
      task ??= clipText(text);
    },
    likelyPrompt(text) {
      likelyTask ??= clipText(text);
    },
    message(content) {
      const text = textField(content);
      if (text !== undefined) firstMessage ??= clipText(text);
    },
    isInherited(ordinal) {
      const start = own?.["subagent_history_start_ordinal"];
      return typeof start === "number" && typeof ordinal === "number" && ordinal < start;
    },
    run() {
      const meta = objectField(own);
      const spawn = objectField(objectField(subagent())["thread_spawn"]);
      return {
        id: textField(meta["id"]) ?? basename(file).replace(/\.jsonl.*$/, ""),
        source: "codex",
        ...optional("provider", textField(meta["model_provider"])),
        ...optional("task", task ?? likelyTask ?? firstMessage),
        ...optional("outcome", this.outcome),
        ...optional("project", textField(meta["cwd"]) ?? cwd),
        ...optional("parent", textField(meta["parent_thread_id"]) ?? textField(spawn["parent_thread_id"])),
      };
    },
  };
}
