import { Dialog } from "../parts/dialog.tsx";
import { KeysHint } from "../parts/keys-hint.tsx";
import { openDialog } from "./dialogs.ts";
import { areKeysOn, setKeysOn, shortcutGroups } from "./keys.ts";

/** The list of all keys that act on this page, and the switch for single keys. */
export function KeysDialog() {
  return (
    <Dialog
      title="Keys"
      class="wide"
      onClose={() => {
        openDialog.value = undefined;
      }}
    >
      <div class="keys">
        {shortcutGroups()
          .filter(({ shortcuts }) => shortcuts.length > 0)
          .map(({ title, shortcuts }) => (
            <section key={title}>
              <h3>{title}</h3>
              <dl>
                {shortcuts.map(({ keys, label }) => (
                  <div key={`${keys} ${label}`}>
                    <dt>{label}</dt>
                    <dd>
                      <KeysHint keys={keys} />
                      <span class="vh">{keys.replace("+", " and ").replace(" ", " then ")}</span>
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
      </div>
      <footer>
        <label class="row">
          <input
            type="checkbox"
            checked={areKeysOn.value}
            onChange={(event) => setKeysOn(event.currentTarget.checked)}
          />
          Single keys act. Switch them off if you dictate, or press keys by accident.
        </label>
      </footer>
    </Dialog>
  );
}
