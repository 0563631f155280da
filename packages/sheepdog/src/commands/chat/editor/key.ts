/** The name of a key that is not text. */
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

/** A key press, typed text, or a paste. */
export type Key =
  | { readonly type: "press"; readonly name: KeyName }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "paste"; readonly text: string };
