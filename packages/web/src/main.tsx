import { render } from "preact";
import { App } from "./app/app.tsx";
import { onKeyDown, showKeyHints } from "./app/keys.ts";
import { connectLive } from "./app/live.ts";
import { logIn } from "./app/login.ts";
import { applyTheme } from "./app/theme.ts";
import "./styles/index.css";

applyTheme();
showKeyHints();
const root = document.getElementById("app");
await logIn();
window.addEventListener("keydown", onKeyDown);
connectLive();
if (root !== null) render(<App />, root);
