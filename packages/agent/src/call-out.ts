/**
 * Calls a method of an object that the caller of the runtime has made: a gate, a tool, a schema. V8 compiles a call for the very function that it has seen
 * there, and throws the code away when that one is gone; by this way it does not look which one it is.
 */
export function callOut<On, Args extends readonly unknown[], Result>(on: On, method: (this: On, ...args: Args) => Result, ...args: Args): Result {
  return Reflect.apply(method, on, args);
}
