import { useRef, useState } from "preact/hooks";
import { useShortcuts } from "../app/keys.ts";
import { KeysHint } from "../parts/keys-hint.tsx";
import type { AnswersProps } from "./answers-props.ts";
import { SendField } from "./send-field.tsx";

/** The answers to a question how a run continues. The advice of the second opinion is filled in. */
export function QuestionAnswers({ waiting, isEnabled, answer, onKey, isSelected }: AnswersProps) {
  const [text, setText] = useState(waiting.suggestion ?? "");
  const field = useRef<HTMLInputElement>(null);
  const say = (kind: "stop" | "continue") => () => answer({ type: "answer", questionId: waiting.id, answer: kind });
  const tell = () => {
    if (text.trim() === "") field.current?.focus();
    else answer({ type: "answer", questionId: waiting.id, answer: "tell", text: text.trim() });
  };
  useShortcuts(
    "The selected question",
    isSelected
      ? [
          { keys: "1", label: "Stop it", action: onKey(say("stop")) },
          { keys: "2", label: "Let it continue", action: onKey(say("continue")) },
          { keys: "3", label: "Tell it something", action: onKey(tell) },
        ]
      : [],
  );
  return (
    <>
      <button class="btn primary" type="button" disabled={!isEnabled} onClick={say("stop")}>
        Stop it
        <KeysHint keys="1" />
      </button>
      <button class="btn" type="button" disabled={!isEnabled} onClick={say("continue")}>
        Let it continue
        <KeysHint keys="2" />
      </button>
      <SendField
        label="Tell it something"
        keys="3"
        field={field}
        text={text}
        isEnabled={isEnabled}
        onText={setText}
        onSend={tell}
      />
    </>
  );
}
