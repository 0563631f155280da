import type { Io } from "../../io.ts";
export interface StatusOptions {
  readonly json?: true;
}
export async function statusCommand(_o: StatusOptions, _io: Io): Promise<number> {
  return 0;
}
