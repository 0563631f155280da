import { useEffect, useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface CopyButtonProps {
  readonly text: string;
  /** The word on the button; without it the button shows its icon only. */
  readonly label?: string;
  /** The name of the button for those who do not see its icon. */
  readonly name?: string;
  readonly class?: string;
}

const SHOWN_MS = 2_000;

/** Copies a text, and says so on the button. */
export function CopyButton({ text, label, name, class: className = "btn small" }: CopyButtonProps) {
  const [state, setState] = useState<"ready" | "copied" | "failed">("ready");
  useEffect(() => {
    if (state === "ready") return undefined;
    const timer = setTimeout(() => setState("ready"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const words = { ready: label, copied: label === undefined ? undefined : "Copied", failed: "Not copied" }[state];
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState("copied"),
      () => setState("failed"),
    );
  return (
    <>
      <button
        type="button"
        class={`${className}${words === undefined ? " icon" : ""}`}
        aria-label={words === undefined ? (name ?? "Copy") : undefined}
        title={label === undefined ? (name ?? "Copy") : undefined}
        onClick={copy}
      >
        <Icon name={state === "copied" ? "check" : "copy"} />
        {words}
      </button>
      <span class="vh" role="status">
        {state === "copied" ? "Copied" : ""}
      </span>
    </>
  );
}
