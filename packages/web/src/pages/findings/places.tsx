import type { Findings } from "../../contract/index.ts";
import { counted } from "../../format/amounts.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Icon } from "../../parts/icon.tsx";

const COMMAND = "sheepdog serve --recordings ";

/** Where recordings were looked for. */
export function Places({ places }: { readonly places: Findings["places"] }) {
  return (
    <section class="panel" aria-label="Where recordings were looked for">
      <details class="numbers plain">
        <summary>
          <Icon name="chev" class="chev" />
          Where recordings were looked for
        </summary>
        <PlaceList places={places} />
      </details>
    </section>
  );
}

/** What the page says without any recording: where it looked, and how to name another folder. */
export function NoRecordings({ places }: { readonly places: Findings["places"] }) {
  return (
    <section class="panel nothing" aria-labelledby="nothing">
      <h2 id="nothing">No recordings found in the usual places. Name a folder.</h2>
      <p class="row">
        <code class="command">{COMMAND}&lt;folder&gt;</code>
        <CopyButton text={COMMAND} name="Copy the command" />
      </p>
      <PlaceList places={places} />
    </section>
  );
}

function PlaceList({ places }: { readonly places: Findings["places"] }) {
  return (
    <ul class="places">
      {places.map(({ place, runs, skipped }) => (
        <li key={place}>
          <code>{place}</code>
          <span class={runs === 0 ? "faint" : ""}>{runs === 0 ? "nothing found" : counted(runs, "run")}</span>
          <span class="faint">{skipped > 0 && `${counted(skipped, "file")} could not be read`}</span>
        </li>
      ))}
    </ul>
  );
}
