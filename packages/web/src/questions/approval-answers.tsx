import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useShortcuts } from "../app/keys.ts";
import { Link } from "../app/router.tsx";
import { KeysHint } from "../parts/keys-hint.tsx";
import { SendField } from "../parts/send-field.tsx";
import { AnswerButton } from "./answer-button.tsx";
import type { AnswersProps } from "./answers-props.ts";

const ALWAYS = "Approves exactly this call until the program that asks ends";

/** The answers to the question whether a call may run. */
export function ApprovalAnswers(props: AnswersProps) {
  const { waiting, isEnabled, isArmed, answer, onKey, isSelected, isOnRunPage } = props;
  const [isExplaining, setExplaining] = useState(false);
  const [reason, setReason] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const resolve = (isAllowed: boolean) => () => answer({ type: "approval", callId: waiting.id, isAllowed });
  const always = () => answer({ type: "approval", callId: waiting.id, isAllowed: true, isAlways: true });
  const explain = () => setExplaining(true);
  const denyWithReason = () => {
    if (reason.trim() === "") field.current?.focus();
    else answer({ type: "approval", callId: waiting.id, isAllowed: false, reason: reason.trim() });
  };
  useLayoutEffect(() => {
    if (isExplaining) field.current?.focus();
  }, [isExplaining]);
  useShortcuts(
    "The selected question",
    isSelected
      ? [
          { keys: "a", label: "Approve once", action: onKey(resolve(true)) },
          { keys: "Shift+a", label: "Always this call", action: onKey(always) },
          { keys: "d", label: "Deny", action: onKey(resolve(false)) },
          { keys: "Shift+d", label: "Deny and say why", action: onKey(explain) },
        ]
      : [],
  );
  return (
    <>
      <AnswerButton {...{ isEnabled, isArmed }} isPrimary keys="a" onPress={resolve(true)}>
        Approve once
      </AnswerButton>
      <AnswerButton {...{ isEnabled, isArmed }} keys="Shift+a" title={ALWAYS} onPress={always}>
        Always this call
      </AnswerButton>
      <AnswerButton {...{ isEnabled, isArmed }} keys="d" onPress={resolve(false)}>
        Deny
      </AnswerButton>
      {isExplaining ? (
        <SendField
          label="Deny, because"
          field={field}
          text={reason}
          {...{ isEnabled, isArmed }}
          onText={setReason}
          onSend={denyWithReason}
          onClose={() => setExplaining(false)}
        />
      ) : (
        <>
          <AnswerButton {...{ isEnabled, isArmed }} keys="Shift+d" onPress={explain}>
            Deny and say why
          </AnswerButton>
          <span class="grow" />
          {!isOnRunPage && (
            <Link class="btn quiet" href={`/runs/${encodeURIComponent(waiting.runId)}`}>
              Open run
              <KeysHint keys="o" />
            </Link>
          )}
        </>
      )}
    </>
  );
}
