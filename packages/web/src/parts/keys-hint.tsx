import { keyTexts } from "../app/key-text.ts";

/** The keys of an action, beside it. They are no part of its name: the list of keys has them for everybody. */
export function KeysHint({ keys }: { readonly keys: string }) {
  return (
    <span class="keys-hint" aria-hidden="true">
      {keyTexts(keys).map((text) => (
        <kbd key={text}>{text}</kbd>
      ))}
    </span>
  );
}
