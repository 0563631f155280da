import { request } from "node:http";

/** Logs in with the token of the address, as a page does, and returns the cookie. */
export function login(origin: string, token: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { origin, "content-type": "application/json" };
    const sent = request(`${origin}/api/login`, { method: "POST", headers, agent: false }, (response) => {
      const [cookie = ""] = response.headers["set-cookie"] ?? [];
      response.resume();
      if (response.statusCode === 200 && cookie !== "") resolve(cookie.split(";", 1)[0] ?? "");
      else reject(new Error(`Expected a cookie; the server answered with ${response.statusCode}.`));
    });
    sent.on("error", reject);
    sent.end(JSON.stringify({ token }));
  });
}
