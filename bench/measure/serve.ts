/** What a contestant's process says, once when it is there and once for each order. */
export type Answer<Taken> =
  | { readonly type: "ready" }
  | { readonly type: "failed"; readonly why: string }
  | { readonly type: "played"; readonly taken: Taken };

/** Makes this process a contestant's: it is opened, and then does what the parent process orders. */
export async function serve<Order, Taken>(open: () => Promise<(order: Order) => Promise<Taken>>): Promise<void> {
  try {
    const play = await open();
    process.on("message", (order: Order) => {
      play(order).then((taken) => answer({ type: "played", taken }), failed);
    });
    answer({ type: "ready" });
  } catch (error) {
    failed(error);
  }
}

function failed(error: unknown): void {
  answer({ type: "failed", why: error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error) });
}

function answer(message: Answer<unknown>): void {
  process.send?.(message);
}
