import type { ComponentChildren } from "preact";
import { KeysHint } from "../parts/keys-hint.tsx";
import type { AnswersProps } from "./answers-props.ts";

interface AnswerButtonProps extends Pick<AnswersProps, "isEnabled" | "isArmed"> {
  readonly keys?: string;
  readonly isPrimary?: boolean;
  readonly title?: string;
  readonly onPress: () => void;
  readonly children: ComponentChildren;
}

/** A button of a card. Until the card is armed it keeps its place in the order of Tab, and does nothing. */
export function AnswerButton({ isEnabled, isArmed, keys, isPrimary, title, onPress, children }: AnswerButtonProps) {
  return (
    <button
      class={`btn ${isPrimary === true ? "primary" : ""}`}
      type="button"
      disabled={!isEnabled}
      aria-disabled={!isArmed}
      title={isArmed ? title : "Not yet. Wait a moment, or click the card."}
      onClick={() => {
        if (isArmed) onPress();
      }}
    >
      {children}
      {keys !== undefined && <KeysHint keys={keys} />}
    </button>
  );
}
