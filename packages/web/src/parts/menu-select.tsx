import { Icon } from "./icon.tsx";

interface MenuSelectProps {
  readonly label: string;
  /** The text on the button. */
  readonly text: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly onChange: (value: string) => void;
  readonly class?: string;
}

/** A menu that looks like a button: the select of the browser lies over it, so that it works everywhere. */
export function MenuSelect({ label, text, value, options, onChange, class: className = "" }: MenuSelectProps) {
  return (
    <span class={`btn small menu ${className}`}>
      <span aria-hidden="true">{text}</span>
      <Icon name="down" />
      <select aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </span>
  );
}
