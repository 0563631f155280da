/** Milliseconds of a clock that never jumps. The global `performance` would load a module of 1 ms. */
export function clockMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1_000_000;
}
