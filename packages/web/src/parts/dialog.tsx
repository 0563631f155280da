import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** Added to the class of the dialog: `wide`, `search`. */
  readonly class?: string;
  /** Leaves out the visible title and the button that closes it; the title stays its label. */
  readonly isBare?: boolean;
}

const FIRST_FIELD = "form :is(input, select, textarea), [role=combobox]";

/** A modal dialog: it keeps the focus, closes with Esc or a click beside it, and gives the focus back. */
export function Dialog({ title, onClose, children, class: className = "", isBare = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const focusedBefore = document.activeElement;
    element.current?.showModal();
    element.current?.querySelector<HTMLElement>(FIRST_FIELD)?.focus();
    return () => {
      if (focusedBefore instanceof HTMLElement) focusedBefore.focus({ preventScroll: true });
    };
  }, []);
  const wasPressedOutside = useRef(false);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it too
    <dialog
      ref={element}
      class={`dialog ${className}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClose={onClose} // the browser may close it without asking, at a second Esc
      onMouseDown={(event) => {
        wasPressedOutside.current = event.target === element.current;
      }}
      onClick={(event) => {
        if (event.target === element.current && wasPressedOutside.current) onClose();
      }}
    >
      <div class="dialog-body">
        <header class={isBare ? "vh" : ""}>
          <h2 id={titleId}>{title}</h2>
          {!isBare && (
            <button class="btn quiet icon" type="button" aria-label="Close" onClick={onClose}>
              <Icon name="x" />
            </button>
          )}
        </header>
        {children}
      </div>
    </dialog>
  );
}
