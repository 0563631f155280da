/** A message of another program to `/hooks/<name>`. Nothing in it is checked yet. */
interface HookRequest {
  readonly name: string;
  /** By their names in small letters. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** What the program gets. */
interface HookAnswer {
  /** The status of HTTP. */
  readonly status: number;
  readonly isDone: boolean;
  readonly text: string;
}

/** Checks the signature of a message, and does what it says. */
export type HookHandler = (request: HookRequest) => Promise<HookAnswer>;
