import { useEffect, useRef } from "preact/hooks";

interface NumberFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** Takes the focus, with its text selected, when the dialog opens. */
  readonly isFirst?: boolean;
}

/** A field for an amount, with its unit beside it. */
export function NumberField({ label, value, onInput, before, after, isFirst = false }: NumberFieldProps) {
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!isFirst) return;
    queueMicrotask(() => {
      ref.current?.focus(); // after the dialog has opened, which gives the focus to its first button
      ref.current?.select();
    });
  }, [isFirst]);
  return (
    <label>
      {label}
      <span class="unit">
        {before !== undefined && <span>{before}</span>}
        <input
          ref={ref}
          class="field num"
          type="text"
          inputMode="decimal"
          autoComplete="off"
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
        {after !== undefined && <span>{after}</span>}
      </span>
    </label>
  );
}
