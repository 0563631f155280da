/**
 * Keeps one object of a class, and so what V8 has learned about all of them: it forgets the shape of a class that has no object left, and throws away the
 * code that was compiled for it. A process that has nothing to do for a while would begin anew with every run.
 */
export function keepShape(...some: readonly object[]): void {
  kept.push(...some);
}

const kept: object[] = [];

// Node makes streams out of plain objects of other classes, whose shapes have to stay as well, and a signal out of an event target.
const stream = new ReadableStream({ start: (controller) => controller.enqueue(0) });
const reader = stream.getReader();
keepShape(
  new EventTarget(),
  new AbortController(),
  setTimeout(() => undefined).unref(),
  new ReadableStream(),
  stream,
  reader,
  reader.read(),
  reader.read(),
);
