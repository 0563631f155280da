/** Events that one side pushes and the other one iterates. */
export interface EventQueue<Event> extends AsyncIterable<Event> {
  push(event: Event): void;
  /** No more events come. With an error the iteration throws it after the events. */
  end(error?: unknown): void;
}

/** Creates an empty queue, to be iterated once. */
export function createEventQueue<Event>(): EventQueue<Event> {
  let events: Event[] = [];
  let ended: { readonly error: unknown } | undefined;
  let wake = () => {};

  async function* iterate(): AsyncGenerator<Event> {
    for (;;) {
      const ready = events;
      events = [];
      yield* ready;
      if (events.length > 0) continue;
      if (ended?.error !== undefined) throw ended.error;
      if (ended !== undefined) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  return {
    push(event) {
      events.push(event);
      wake();
    },
    end(error) {
      ended ??= { error };
      wake();
    },
    [Symbol.asyncIterator]: iterate,
  };
}
