/** Where a value comes from. */
export type Origin =
  | "default"
  | { readonly file: string; readonly line: number; readonly isProject: boolean }
  | { readonly env: string }
  | { readonly flag: string };
