/**
 * Keeps one object of a class, and so what V8 has learned about all of them: it forgets the shape of a class that has no object left, and throws away the
 * code that was compiled for it. A process that has nothing to do for a while would begin anew with every run.
 */
export function keepShape(one: object): void {
  kept.push(one);
}

const kept: object[] = [];
