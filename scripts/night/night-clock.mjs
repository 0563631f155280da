// A clock that the night moves by itself: nothing waits, and every time in the saved runs is the time of the story.

/** Creates a clock for the runtime at a time. Ids are numbered, so that the same night has the same ids. */
export function createNightClock(start, name) {
  let now = start;
  let ids = 0;
  return {
    now: () => now,
    /** Moves the time forward. */
    pass: (seconds) => {
      now += Math.round(seconds * 1_000);
    },
    moveTo: (at) => {
      now = Math.max(now, at);
    },
    sleep: async () => {},
    after: () => () => {},
    every: () => () => {},
    random: () => 0.5,
    newId: (prefix) => {
      ids += 1;
      return `${prefix}_${name}${String(ids).padStart(6, "0")}`;
    },
  };
}
