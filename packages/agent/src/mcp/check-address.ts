/**
 * Throws unless an address is one over https, or one over http of this machine. Servers name the addresses of their
 * logins: tokens must not go over an open network, and the browser must not open a file.
 */
export function checkAddress(url: URL): void {
  const { protocol, hostname, username, password } = url;
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  const isSafe = protocol === "https:" || (protocol === "http:" && isLoopback);
  if (isSafe && username === "" && password === "") return;
  const shown = `${protocol}//${hostname}`;
  throw new Error(
    isSafe
      ? `The server names an address with a user name: ${shown}.`
      : `The server names an address that is neither https nor on this machine: ${shown}.`,
  );
}
