import { useShortcuts } from "../app/keys.ts";

const ROWS = "main .tbl tbody tr, main .key-rows > li";
const TARGETS = "a[href], button:not(:disabled)";

/** The keys `j` and `k` move the focus to the link or button of the next or previous row on the page. */
export function useRowKeys(title: string): void {
  useShortcuts(title, [
    { keys: "j", label: "Next row", action: () => moveFocus(1) },
    { keys: "k", label: "Previous row", action: () => moveFocus(-1) },
  ]);
}

function moveFocus(step: 1 | -1): void {
  const targets = [...document.querySelectorAll(ROWS)]
    .map((row) => ({ row, target: row.querySelector<HTMLElement>(TARGETS) }))
    .filter(({ target }) => target?.checkVisibility() === true);
  const focused = targets.findIndex(({ row }) => row.contains(document.activeElement));
  const next = focused === -1 ? (step === 1 ? 0 : targets.length - 1) : focused + step;
  const target = targets[next]?.target;
  target?.focus({ focusVisible: true } as FocusOptions); // an option that the library's types do not know yet
  target?.scrollIntoView({ block: "nearest" });
}
