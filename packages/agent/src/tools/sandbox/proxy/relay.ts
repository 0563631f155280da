/** The Unix socket of the proxy, inside the sandbox. */
export const socketInside = "/run/sheepdog/proxy.sock";

const port = 47_831;
const address = `http://127.0.0.1:${port}`;
const here = "localhost,127.0.0.1,::1";

/** The variables that make programs use the proxy. */
export const proxyVariables: Readonly<Record<string, string>> = {
  HTTP_PROXY: address,
  HTTPS_PROXY: address,
  NO_PROXY: here,
  http_proxy: address, // some programs, such as curl, know only this spelling
  https_proxy: address,
  no_proxy: here,
  NODE_USE_ENV_PROXY: "1", // since Node 24, fetch uses the proxy too
};

/** Programs speak TCP to a proxy. The network of the sandbox has no way out, so the relay leads to the Unix socket. */
const relayScript = `
  const net = require("node:net");
  net.createServer((client) => {
    const proxy = net.connect("${socketInside}");
    client.on("error", () => proxy.destroy()).pipe(proxy);
    proxy.on("error", () => client.destroy()).pipe(client);
  }).listen(${port}, "127.0.0.1");
`;

/** Shell statements that start the relay in the background, set \`relay\` to its pid, and wait until it listens. */
export function relayCommand(): string {
  const node = `'${process.execPath.replaceAll("'", "'\\''")}'`;
  return `${node} -e '${relayScript}' >/dev/null 2>&1 &
relay=$!
for attempt in {1..500}; do
  { : 9<>/dev/tcp/127.0.0.1/${port}; } 2>/dev/null && break
  kill -0 $relay 2>/dev/null || break
  sleep 0.01
done
`;
}
