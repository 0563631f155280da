import { expect, test } from "vitest";
import { createEventReader } from "./event-reader.ts";

test("a reader has caught up only after every event so far was handled", async () => {
  const { read, caughtUp } = createEventReader<number>();
  const handled: number[] = [];
  let emit = (_: number | undefined): void => {};
  const events = new ReadableStream<number>({
    start(controller) {
      emit = (event) => (event === undefined ? controller.close() : controller.enqueue(event));
    },
  });
  for (const event of [1, 2, 3]) emit(event);
  const reading = (async () => {
    for await (const event of read(events)) {
      await new Promise((resolve) => setImmediate(resolve));
      handled.push(event);
    }
  })();
  await caughtUp();
  expect(handled).toEqual([1, 2, 3]);
  emit(4);
  await caughtUp();
  expect(handled).toEqual([1, 2, 3, 4]);
  emit(undefined);
  await reading;
});
