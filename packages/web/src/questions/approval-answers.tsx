import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useShortcuts } from "../app/keys.ts";
import { Link } from "../app/router.tsx";
import { KeysHint } from "../parts/keys-hint.tsx";
import type { AnswersProps } from "./answers-props.ts";
import { SendField } from "./send-field.tsx";

/** The answers to the question whether a call may run. */
export function ApprovalAnswers({ waiting, isEnabled, answer, onKey, isSelected, isOnRunPage }: AnswersProps) {
  const [isExplaining, setExplaining] = useState(false);
  const [reason, setReason] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const resolve = (isAllowed: boolean) => () => answer({ type: "approval", callId: waiting.id, isAllowed });
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
          { keys: "d", label: "Deny", action: onKey(resolve(false)) },
          { keys: "Shift+d", label: "Deny and say why", action: onKey(explain) },
        ]
      : [],
  );
  return (
    <>
      <button class="btn primary" type="button" disabled={!isEnabled} onClick={resolve(true)}>
        Approve once
        <KeysHint keys="a" />
      </button>
      <button class="btn" type="button" disabled={!isEnabled} onClick={resolve(false)}>
        Deny
        <KeysHint keys="d" />
      </button>
      {isExplaining ? (
        <SendField
          label="Deny, because"
          field={field}
          text={reason}
          isEnabled={isEnabled}
          onText={setReason}
          onSend={denyWithReason}
          onClose={() => setExplaining(false)}
        />
      ) : (
        <>
          <button class="btn" type="button" disabled={!isEnabled} onClick={explain}>
            Deny and say why
            <KeysHint keys="Shift+d" />
          </button>
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
