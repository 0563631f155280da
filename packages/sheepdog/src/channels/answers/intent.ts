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

/** Reads a text. The first word decides; any other text is for the agent, except at an approval. */
export function intentOfText(text: string, topic: Topic): ReadIntent {
  const [, first = "", rest = ""] = /^\/?(\S+)\s*([\s\S]*)$/.exec(text.trim()) ?? [];
  const word = first.toLowerCase().replace(/@\w+$|[.,:!]+$/, "");
  const known = words[word];
  if (known === "raise") return raiseIntent(rest, topic);
  if (known === "tell") return rest.trim() === "" ? helpFor(topic) : tell(rest.trim(), topic);
  const isAnswer = topic.type === "reply" && known !== "stop";
  if (known !== undefined && !isAnswer && (rest === "" || known === "deny"))
    return intentOfWord(known, rest.trim(), topic) ?? helpFor(topic);
  if (topic.type === "reply") return reply(topic.callId, text.trim());
  return topic.type === "approval" || text.trim() === "" ? helpFor(topic) : tell(text.trim(), topic);
}

const words: Readonly<Record<string, Intent["action"]>> = {
  ...{ yes: "approve", y: "approve", ok: "approve", approve: "approve", allow: "approve" },
  ...{ no: "deny", n: "deny", deny: "deny", refuse: "deny" },
  ...{ continue: "continue", c: "continue" },
  ...{ stop: "stop", cancel: "stop" },
  ...{ tell: "tell", steer: "tell" },
  ...{ raise: "raise", budget: "raise", more: "raise" },
};

const notPossible = { problem: "That cannot be answered here." } as const;

/** Undefined: the word does not answer this topic. */
function intentOfWord(action: Intent["action"], rest: string, topic: Topic): Intent | undefined {
  if (action === "stop") {
    // A question about the run is answered, so that the run ends with its own reason.
    return topic.type === "question"
      ? { action, message: { type: "answer", questionId: topic.questionId, answer: { type: "stop" } } }
      : { action, message: { type: "stop" } };
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
