/** Lines that fit into the window, and the position of the cursor in them. Without a position, the cursor is hidden. */
export interface Drawing {
  readonly lines: readonly string[];
  readonly cursor?: { readonly x: number; readonly y: number };
}
