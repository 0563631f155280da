const names = [
  "\\.env(?:\\..+)?",
  "\\.envrc",
  "id_(?:rsa|dsa|ecdsa|ed25519)",
  ".*\\.(?:pem|p12|pfx|key|keystore)",
  "\\.(?:npmrc|pypirc|netrc|pgpass|htpasswd|git-credentials)",
  "credentials(?:\\.\\w+)?",
  "secrets?\\.(?:ya?ml|json|toml|env)",
];
const secretFile = new RegExp(`^(?:${names.join("|")})$`, "i");
const harmlessFile = /^\.env\.(?:example|sample|template|dist)$/i;

/** Whether secrets are usually stored in a file with this name: `.env`, `server.pem`. Folders before it are ignored. */
export function isSecretFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return secretFile.test(name) && !harmlessFile.test(name);
}
