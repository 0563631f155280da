/** Waits until it is woken or a time has passed. */
export interface Waker {
  wake(): void;
  wait(): Promise<void>;
}

/** Changes come in groups: they are answered together. */
const minMs = 15;

/** Creates a waker. A call of `wake` while nothing waits counts for the next wait. */
export function createWaker(maxMs: number): Waker {
  let isWoken = false;
  let onWake = () => {};
  return {
    wake() {
      isWoken = true;
      onWake();
    },
    wait: () =>
      new Promise((resolve) => {
        const end = () => {
          onWake = () => {};
          isWoken = false;
          resolve();
        };
        let timer = setTimeout(end, isWoken ? minMs : maxMs);
        onWake = () => {
          onWake = () => {};
          clearTimeout(timer);
          timer = setTimeout(end, minMs);
        };
        if (isWoken) onWake = () => {};
      }),
  };
}
