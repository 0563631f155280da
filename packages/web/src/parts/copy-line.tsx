import { CopyButton } from "./copy-button.tsx";

/** A command or a few lines of configuration, with a button that copies them. `name` is the button's name. */
export function CopyLine({ text, name }: { readonly text: string; readonly name: string }) {
  return (
    <div class="copy-line">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region can take the focus */}
      <pre class="out" tabIndex={0}>
        {text}
      </pre>
      <CopyButton text={text} name={name} class="btn quiet small" />
    </div>
  );
}
