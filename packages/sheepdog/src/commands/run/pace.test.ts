import { expect, test } from "vitest";
import { createPace } from "./pace.ts";

test("it has caught up only once all that has happened was looked at", async () => {
  const { follow, caughtUp } = createPace<number>();
  const seen: number[] = [];
  let more = (_: number | undefined): void => {};
  const events = new ReadableStream<number>({
    start(controller) {
      more = (event) => (event === undefined ? controller.close() : controller.enqueue(event));
    },
  });
  for (const event of [1, 2, 3]) more(event);
  const following = (async () => {
    for await (const event of follow(events)) {
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(event);
    }
  })();
  await caughtUp();
  expect(seen).toEqual([1, 2, 3]);
  more(4);
  await caughtUp();
  expect(seen).toEqual([1, 2, 3, 4]);
  more(undefined);
  await following;
});
