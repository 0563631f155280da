/** Lines that fit, and where the cursor stands among them; without one it is hidden. */
export interface Drawing {
  readonly lines: readonly string[];
  readonly cursor?: { readonly x: number; readonly y: number };
}
