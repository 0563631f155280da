interface PromptFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
}

/** A field for a prompt of several lines. Ctrl+Enter submits its form. */
export function PromptField({ label, value, onInput }: PromptFieldProps) {
  return (
    <label>
      {label}
      <textarea
        class="field area"
        rows={4}
        required
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={({ key, ctrlKey, metaKey, currentTarget }) => {
          if (key === "Enter" && (ctrlKey || metaKey)) currentTarget.form?.requestSubmit();
        }}
      />
    </label>
  );
}
