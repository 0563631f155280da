import type { RecordedStep } from "../trajectory/recorded-run.ts";
import { clipText } from "./clip.ts";

/** What a person wrote since the newest reply; it marks the next one. */
export interface PersonMessages {
  /** Adds a message; without a text, one whose words are not recorded. The same words at once again are one message. */
  add(text?: string): void;
  /** The marks of the reply that answers the messages. They are then answered. */
  take(): Pick<RecordedStep, "user" | "prompt">;
  readonly isEmpty: boolean;
}

/** Creates an empty list. */
export function createPersonMessages(): PersonMessages {
  let texts: string[] = [];
  let isEmpty = true;
  return {
    add(text = "") {
      isEmpty = false;
      const clipped = clipText(text.trim());
      if (clipped !== "" && texts.at(-1) !== clipped) texts.push(clipped);
    },
    take() {
      if (isEmpty) return {};
      const prompt = clipText(texts.join("\n\n"));
      isEmpty = true;
      texts = [];
      return { user: true, ...(prompt === "" ? {} : { prompt }) };
    },
    get isEmpty() {
      return isEmpty;
    },
  };
}
