import { render } from "preact";
import { App } from "./app/app.tsx";
import { onKeyDown, showKeyHints } from "./app/keys.ts";
import { connectLive } from "./app/live.ts";
import { logIn } from "./app/login.ts";
import { navigate } from "./app/router.tsx";
import { applyTheme } from "./app/theme.ts";
import "./styles/index.css";

applyTheme();
showKeyHints();
const root = document.getElementById("app");
await logIn();
const { pathname, search, hash } = window.location;
navigate(`${pathname === "/" ? "/runs" : pathname}${search}${hash}`, { isReplaced: true });
window.addEventListener("keydown", onKeyDown);
connectLive();
if (root !== null) render(<App />, root);
