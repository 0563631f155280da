/** The environment of a measured program: an empty home, no colours, and nothing else of the caller's environment. */
export function emptyEnvironment(home: string): Readonly<Record<string, string>> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_DATA_HOME: `${home}/.local/share`,
    XDG_STATE_HOME: `${home}/.local/state`,
    XDG_CACHE_HOME: `${home}/.cache`,
    NO_COLOR: "1",
  };
}
