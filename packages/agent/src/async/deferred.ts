/** A promise that is settled from outside. */
export interface DeferredParts<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

/** Like `Promise.withResolvers`, which Node has from version 22 on. */
export function createDeferred<T>(): DeferredParts<T> {
  let resolve: DeferredParts<T>["resolve"] = () => {};
  let reject: DeferredParts<T>["reject"] = () => {};
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

export class Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
  constructor() {
    const { promise, resolve, reject } = createDeferred<T>();
    this.promise = promise;
    this.resolve = resolve;
    this.reject = reject;
  }
}
