import { keepShape } from "./keep-shape.ts";

/** A promise that is settled from outside. */
export class Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;

  constructor() {
    this.promise = new Promise<T>(note);
    this.resolve = noted.resolve as (value: T) => void; // it is this promise's own
    this.reject = noted.reject;
    noted.resolve = nobody;
    noted.reject = nobody;
  }
}

const nobody = () => undefined;
const noted: { resolve: (value: never) => void; reject: (reason: unknown) => void } = {
  resolve: nobody,
  reject: nobody,
};

/** One function for all promises: V8 compiles it once, and not anew for each. */
function note(resolve: (value: never) => void, reject: (reason: unknown) => void): void {
  noted.resolve = resolve;
  noted.reject = reject;
}

keepShape(new Deferred());
