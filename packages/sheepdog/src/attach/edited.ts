/** A changed text, or why it cannot be changed, as the end of a sentence about its file. */
export type Edited = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };
