import { Icon } from "../../../parts/icon.tsx";

/** The link to an event. */
export function Anchor({ seq, what }: { readonly seq: number; readonly what: string }) {
  return (
    <a class="anchor" href={`#e${seq}`} aria-label={`Link to ${what}`}>
      <Icon name="link" />
    </a>
  );
}
