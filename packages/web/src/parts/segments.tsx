interface SegmentsProps<Value extends string | number> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly text: string }[];
  readonly onChange: (value: Value) => void;
}

/** A choice of one among a few, side by side. */
export function Segments<Value extends string | number>({ label, value, options, onChange }: SegmentsProps<Value>) {
  return (
    <fieldset class="seg" aria-label={label}>
      {options.map((option) => (
        <button type="button" aria-pressed={option.value === value} onClick={() => onChange(option.value)}>
          {option.text}
        </button>
      ))}
    </fieldset>
  );
}
