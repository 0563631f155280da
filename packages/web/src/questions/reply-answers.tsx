import { useRef, useState } from "preact/hooks";
import { type Shortcut, useShortcuts } from "../app/keys.ts";
import { SendField } from "../parts/send-field.tsx";
import { AnswerButton } from "./answer-button.tsx";
import type { AnswersProps } from "./answers-props.ts";

const MAX_KEYS = 9;

/** The answers to a question of the agent: its choices, or a text. */
export function ReplyAnswers({ waiting, isEnabled, isArmed, answer, onKey, isSelected }: AnswersProps) {
  const [text, setText] = useState(waiting.suggestion ?? "");
  const field = useRef<HTMLInputElement>(null);
  const { choices } = waiting;
  const reply = (words: string) => answer({ type: "reply", callId: waiting.id, text: words });
  const send = () => {
    if (text.trim() === "") field.current?.focus();
    else reply(text.trim());
  };
  const textKey = choices.length < MAX_KEYS ? String(choices.length + 1) : undefined;
  const shortcuts: readonly Shortcut[] = [
    ...choices.slice(0, MAX_KEYS).map((choice, index) => ({
      keys: String(index + 1),
      label: choice,
      action: onKey(() => reply(choice)),
    })),
    ...(textKey === undefined ? [] : [{ keys: textKey, label: "Answer with a text", action: onKey(send) }]),
  ];
  useShortcuts("The selected question", isSelected ? shortcuts : []);
  return (
    <>
      {choices.map((choice, index) => (
        <AnswerButton
          key={choice}
          {...{ isEnabled, isArmed }}
          {...(index < MAX_KEYS ? { keys: String(index + 1) } : {})}
          onPress={() => reply(choice)}
        >
          <span class="cut">{choice}</span>
        </AnswerButton>
      ))}
      <SendField
        label="Answer"
        {...(textKey === undefined ? {} : { keys: textKey })}
        field={field}
        text={text}
        {...{ isEnabled, isArmed }}
        onText={setText}
        onSend={send}
      />
    </>
  );
}
