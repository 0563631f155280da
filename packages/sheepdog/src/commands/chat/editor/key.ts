/** A key that means something by itself. */
export type KeyName =
  | "enter"
  | "newline"
  | "alt-enter"
  | "escape"
  | "tab"
  | "backspace"
  | "delete"
  | "up"
  | "down"
  | "left"
  | "right"
  | "word-left"
  | "word-right"
  | "home"
  | "end"
  | "page-up"
  | "page-down"
  | "alt-backspace"
  | `ctrl-${string}`;

/** What somebody did at the keyboard. */
export type Key =
  | { readonly type: "press"; readonly name: KeyName }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "paste"; readonly text: string };
