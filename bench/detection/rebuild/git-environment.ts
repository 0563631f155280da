/** The environment of git: it reads what is on the disk and never fetches a missing object. */
export const gitEnvironment: NodeJS.ProcessEnv = {
  ...process.env,
  GIT_NO_LAZY_FETCH: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
};
