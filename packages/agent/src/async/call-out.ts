type Method = (...args: never[]) => unknown;

/**
 * Calls a method of something that the runtime was given: a gate, a tool, a schema. V8 compiles a call for the very shape and function that it has seen there,
 * and throws the code away when those are gone; by this way it does not look at them.
 */
export function callOut<On extends { readonly [name in Name]: Method }, Name extends keyof On>(
  on: On,
  name: Name,
  ...args: Parameters<On[Name]>
): ReturnType<On[Name]> {
  return Reflect.apply(Reflect.get(on, name), on, args);
}
