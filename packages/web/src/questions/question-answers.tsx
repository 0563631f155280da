import { useRef, useState } from "preact/hooks";
import { useShortcuts } from "../app/keys.ts";
import { SendField } from "../parts/send-field.tsx";
import { AnswerButton } from "./answer-button.tsx";
import type { AnswersProps } from "./answers-props.ts";

/** The answers to a question how a run continues. The advice of the second opinion is filled in. */
export function QuestionAnswers({ waiting, isEnabled, isArmed, answer, onKey, isSelected }: AnswersProps) {
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
      <AnswerButton {...{ isEnabled, isArmed }} isPrimary keys="1" onPress={say("stop")}>
        Stop it
      </AnswerButton>
      <AnswerButton {...{ isEnabled, isArmed }} keys="2" onPress={say("continue")}>
        Let it continue
      </AnswerButton>
      <SendField
        label="Tell it something"
        keys="3"
        field={field}
        text={text}
        {...{ isEnabled, isArmed }}
        onText={setText}
        onSend={tell}
      />
    </>
  );
}
