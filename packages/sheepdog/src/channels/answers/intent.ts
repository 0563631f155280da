import type { LimitName } from "@sheepdog/guardian";
import { limitUnits } from "../../config/policy/limit-units.ts";
import type { ControlMessage } from "../../control/control-message.ts";
import type { Topic } from "../notice.ts";

/** What somebody wants, by its name for the log, and the message that does it. */
export interface Intent {
  readonly action: "approve" | "deny" | "continue" | "stop" | "tell" | "raise" | "reply";
  readonly message: ControlMessage;
}

/** An intent, or a sentence about what could be answered instead. */
export type ReadIntent = Intent | { readonly problem: string };

/** Reads the verb of a button. */
export function intentOfVerb(verb: string, topic: Topic): ReadIntent {
  const choice = /^choice(\d)$/.exec(verb)?.[1];
  if (choice !== undefined && topic.type === "reply") {
    const text = topic.choices[Number(choice)];
    return text === undefined ? notPossible : reply(topic.callId, text);
  }
  if (verb === "raise" && topic.type === "run" && topic.limit !== undefined)
    return raise(topic.limit.name, topic.limit.more);
  if (verb === "approve" || verb === "deny" || verb === "continue" || verb === "stop")
    return intentOfWord(verb, "", topic) ?? notPossible;
  return notPossible;
}

/** Reads what a program wants: the text is the reason, the message, the amount or the answer, and nothing else. */
export function intentOfAction(action: Intent["action"], text: string, topic: Topic): ReadIntent {
  const words = text.trim();
  switch (action) {
    case "tell":
      return words === "" ? { problem: "The action tell needs a text." } : tell(words, topic);
    case "raise":
      return raiseIntent(words, topic);
    case "reply":
      if (topic.type !== "reply") return notPossible;
      return words === "" ? { problem: "The action reply needs a text." } : reply(topic.callId, words);
    case "approve":
      return topic.type === "approval" ? (intentOfWord(action, "", topic) ?? notPossible) : notPossible;
    case "deny":
    case "continue":
    case "stop":
      return intentOfWord(action, words, topic) ?? notPossible;
    default:
      return action satisfies never;
  }
}

/** Reads a text. The first word decides; any other text is for the agent, except at an approval. */
export function intentOfText(text: string, topic: Topic): ReadIntent {
  const [, first = "", rest = ""] = /^\/?(\S+)\s*([\s\S]*)$/.exec(text.trim()) ?? [];
  const word = first.toLowerCase().replace(/@\w+$|[.,:!]+$/, "");
  const action = words[word];
  // The agent asks for any text: only the word itself can mean something else.
  if (topic.type === "reply") return word === "stop" && rest === "" ? stopRun : reply(topic.callId, text.trim());
  if (action === "raise" && isAmount(rest, topic)) return raiseIntent(rest, topic);
  if (action === "tell") return rest.trim() === "" ? helpFor(topic) : tell(rest.trim(), topic);
  if (action !== undefined && action !== "raise" && (rest === "" || action === "deny"))
    return intentOfWord(action, rest.trim(), topic) ?? helpFor(topic);
  return topic.type === "approval" || text.trim() === "" ? helpFor(topic) : tell(text.trim(), topic);
}

/** A sentence that begins with "raise" is no amount; one or two words that cannot be read are a mistake. */
function isAmount(text: string, topic: Topic): boolean {
  return text.trim().split(/\s+/).length <= 2 || "action" in raiseIntent(text, topic);
}

const words: Readonly<Record<string, Intent["action"]>> = {
  ...{ yes: "approve", y: "approve", ok: "approve", approve: "approve", allow: "approve" },
  ...{ no: "deny", n: "deny", deny: "deny", refuse: "deny" },
  ...{ continue: "continue", c: "continue" },
  ...{ stop: "stop", cancel: "stop" },
  ...{ tell: "tell", steer: "tell" },
  raise: "raise",
};

const notPossible = { problem: "That cannot be answered here." } as const;
const stopRun: Intent = { action: "stop", message: { type: "stop" } };

/** Undefined: the word does not answer this topic. */
function intentOfWord(action: Intent["action"], rest: string, topic: Topic): Intent | undefined {
  if (action === "stop") {
    // A question about the run is answered, so that the run ends with its own reason.
    return topic.type === "question"
      ? { action, message: { type: "answer", questionId: topic.questionId, answer: { type: "stop" } } }
      : stopRun;
  }
  if (topic.type === "approval" && (action === "approve" || action === "deny")) {
    const isAllowed = action === "approve";
    const reason = isAllowed || rest === "" ? {} : { reason: rest };
    return { action, message: { type: "approval", callId: topic.callId, isAllowed, ...reason } };
  }
  if (topic.type === "question" && (action === "continue" || action === "approve"))
    return {
      action: "continue",
      message: { type: "answer", questionId: topic.questionId, answer: { type: "continue" } },
    };
  return undefined;
}

function tell(text: string, topic: Topic): Intent {
  if (topic.type === "question")
    return {
      action: "tell",
      message: { type: "answer", questionId: topic.questionId, answer: { type: "tell", text } },
    };
  return { action: "tell", message: { type: "steer", text } };
}

function reply(callId: string, text: string): ReadIntent {
  return text === "" ? notPossible : { action: "reply", message: { type: "reply", callId, text } };
}

function raise(limit: LimitName, more: number): Intent {
  return { action: "raise", message: { type: "limit", limit, more } };
}

/** "2", "$2.50", "10 turns", "15m": in the unit of the limit that the notice is about, else of the run's cost. */
function raiseIntent(text: string, topic: Topic): ReadIntent {
  const limit = topic.type === "run" && topic.limit !== undefined ? topic.limit.name : "run-cost";
  const amount = text.trim().replace(/^\+\s*/, "");
  const isMoney = limit === "run-cost";
  const typed = isMoney
    ? `$${amount.replace(/^\$\s*|\s*(?:\$|usd|dollars?)$/giu, "")}`
    : amount.replace(/\s*[a-z]{3,}$/i, "");
  const read = limitUnits[limit].read(/^\d+$/.test(typed) ? Number(typed) : typed);
  if (read !== undefined) return raise(limit, read);
  return { problem: isMoney ? "To raise the budget, reply: raise 2.50" : "To raise the limit, reply: raise 10" };
}

function helpFor(topic: Topic): ReadIntent {
  switch (topic.type) {
    case "approval":
      return { problem: "Reply yes, no and a reason, stop, or tell and a message." };
    case "question":
      return { problem: "Reply continue, stop, or a message for the agent." };
    case "reply":
      return { problem: "Reply with your answer, or stop." };
    case "run":
      return { problem: "Reply stop, raise and an amount, or a message for the agent." };
    default:
      return topic satisfies never;
  }
}
