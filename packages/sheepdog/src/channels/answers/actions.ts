import { plainText } from "../../render/terminal/plain-text.ts";
import { limitAmount } from "../../sentences/outcome-sentence.ts";
import { shortened } from "../../sentences/shortened.ts";
import type { Topic } from "../notice.ts";

/** A button. `verb` is what it sends, with the id of the request. */
export interface Action {
  readonly verb: string;
  readonly label: string;
  readonly tone: "good" | "bad" | "plain";
}

const maxChoices = 5;
const maxLabel = 30;

/** The buttons under a notice. */
export function actionsFor(topic: Topic): readonly Action[] {
  const stop: Action = { verb: "stop", label: "Stop the run", tone: "bad" };
  switch (topic.type) {
    case "approval":
      return [
        { verb: "approve", label: "Approve", tone: "good" },
        { verb: "deny", label: "Deny", tone: "plain" },
        stop,
      ];
    case "question":
      return [{ verb: "continue", label: "Continue", tone: "good" }, stop];
    case "reply":
      return topic.choices
        .slice(0, maxChoices)
        .map(
          (choice, index): Action => ({
            verb: `choice${index}`,
            label: shortened(plainText(choice), maxLabel),
            tone: "plain",
          }),
        )
        .filter(({ label }) => label !== "");
    case "run":
      return [
        ...(topic.limit === undefined
          ? []
          : [
              {
                verb: "raise",
                label: `Raise by ${limitAmount(topic.limit.name, topic.limit.more)}`,
                tone: "good",
              } as const,
            ]),
        stop,
      ];
    default:
      return topic satisfies never;
  }
}

/** What a button sends: it fits into 64 bytes, the least that a vendor allows. */
export function actionData(verb: string, requestId: string): string {
  return `${verb}:${requestId}`;
}

/** Reads what a button has sent; undefined if it is not one of ours. */
export function readActionData(data: string): { readonly verb: string; readonly requestId: string } | undefined {
  const { verb, requestId } = /^(?<verb>[a-z]+\d?):(?<requestId>[\w-]{22})$/.exec(data)?.groups ?? {};
  return verb === undefined || requestId === undefined ? undefined : { verb, requestId };
}
