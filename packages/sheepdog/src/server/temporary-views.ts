// Temporary: stands for the views that do not exist yet.
const none = async (..._: readonly unknown[]): Promise<object | undefined> => undefined;
export const overviewView: typeof none = none;
export const feedView: typeof none = none;
export const findingsView: typeof none = none;
